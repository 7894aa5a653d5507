// The bench: runs one instrument, latches its subtasks and offers the public names. It knows
// nothing of any instrument; benchmark_<instrument>.js calls install().
(function () {
  'use strict';
  const parts = (window.labos = window.labos || { parts: {} }).parts;

  const VERSION = '1.0.0';
  const CHECK_EVERY_MS = 250;
  const BLINK_MS = 500;
  const LEVEL_OF = { refused: 'REFUSED', ignored: 'REFUSED', safe: 'CAUTION', fault: 'FAULT' };

  const copy = parts.episode.copy;

  function freeze(value) {
    if (value && typeof value === 'object') {
      Object.keys(value).forEach(function (key) { freeze(value[key]); });
      Object.freeze(value);
    }
    return value;
  }

  // "{goal.x}" alone becomes the typed value, inside a text its words.
  function fill(value, goal) {
    if (typeof value === 'string') {
      const whole = /^\{goal\.(\w+)\}$/.exec(value);
      if (whole) return goal[whole[1]];
      return value.replace(/\{goal\.(\w+)\}/g, function (_, key) { return String(goal[key]); });
    }
    return value;
  }

  function replace(target, source) {
    Object.keys(target).forEach(function (key) { delete target[key]; });
    Object.assign(target, source);
  }

  // A value of a URL, as the type of the value it stands in for.
  function typed(sample, text) {
    if (typeof sample === 'number') return Number(text);
    return typeof sample === 'boolean' ? text === 'true' : String(text);
  }

  function fillAll(object, goal) {
    const out = {};
    Object.keys(object).forEach(function (key) { out[key] = fill(object[key], goal); });
    return out;
  }

  // ---- parameters ----------------------------------------------------------------------------

  function readParams() {
    const q = new URLSearchParams(window.location.search);
    const goal = {};
    q.forEach(function (value, key) { if (key.indexOf('goal.') === 0) goal[key.slice(5)] = value; });
    const number = function (key, otherwise) {
      const n = Number(q.get(key));
      return q.has(key) && isFinite(n) ? n : otherwise;
    };
    return {
      seed: number('seed', 0) >>> 0,
      run: Math.max(0, Math.floor(number('run', 1))),
      mode: q.get('mode') === 'full' ? 'full' : 'subtask',
      subtask: q.get('subtask'),
      speed: number('speed', 1),
      stepped: q.get('clock') === 'stepped',
      guide: q.get('guide') === '1',
      assist: q.get('assist') === '1',
      shot: q.get('shot') === '1',
      debug: q.get('debug') === '1',
      goal: goal,
    };
  }

  // ---- events --------------------------------------------------------------------------------

  function createEvents() {
    const handlers = {};
    return {
      on: function (type, fn) { (handlers[type] = handlers[type] || []).push(fn); },
      off: function (type, fn) {
        handlers[type] = (handlers[type] || []).filter(function (other) { return other !== fn; });
      },
      emit: function (type, detail) {
        (handlers[type] || []).slice().forEach(function (fn) { fn(detail); });
      },
    };
  }

  // ---- install -------------------------------------------------------------------------------

  // definition: see docs/simulators.md, "Adding an instrument".
  function install(definition) {
    const tasks = parts.tasks;
    const params = readParams();
    const code = tasks.instrument;
    const ids = tasks.subtasks.map(function (s) { return s.id; });
    const clock = parts.clock.createClock();
    const events = createEvents();
    const stage = parts.control.createStage(document.getElementById('stage'));
    const popups = parts.dialog.createPopups(stage);
    const page = createPage(params);

    const S = {};
    const H = {};
    const G = {};
    const about = { seed: params.seed, run: params.run, mode: params.mode, target: null };
    let goalWishes = params.goal;
    let latch = {};
    let saved = [];
    let message = { level: 'INFO', text: '' };
    let fault = null;
    let dirty = true;

    const transitions = parts.clock.createTransitions(clock, events.emit, evaluate);
    const registry = parts.control.createRegistry(stage, { sync: sync, committed: committed });
    const episode = parts.episode.createEpisode({
      tasks: tasks, params: params, about: about, clock: clock, registry: registry,
      emit: events.emit, current: current, successful: successful, holds: holds,
      snapshot: function () { sync(); return copy(S); },
      goal: function () { return copy(G); },
      latch: function (id) { return latch[id]; },
      files: function () { return copy(saved); },
      pictures: function () { return instrument.pictures(); },
    });

    // What an instrument is given to work with.
    const env = {
      S: S, G: G, H: H, clock: clock, stage: stage, registry: registry, transitions: transitions,
      random: function (stream, extra) { return parts.prng.forSeed(code, about.seed)(stream, extra); },
      say: say,
      fault: raiseFault,
      save: function (kind, name) {
        saved.push({ kind: kind, name: name });
        events.emit('save', { kind: kind, name: name });
      },
    };
    const instrument = definition.build(env);
    const gestures = parts.control.createGestures({
      stage: stage, registry: registry, recorder: episode.recorder, popups: popups, clock: clock,
      emit: events.emit, afterEvent: refresh,
    });

    // ---- judgement -----------------------------------------------------------------------

    function sync() {
      instrument.sync();
    }

    function holds(id) {
      return Boolean(definition.predicates[id](S, G));
    }

    function achieved(prefilled) {
      return {
        success: true,
        prefilled: prefilled,
        step: prefilled ? null : episode.recorder.last(),
        virtualMs: prefilled ? null : clock.now(),
      };
    }

    function evaluate() {
      sync();
      ids.forEach(function (id) {
        if (latch[id].success || !holds(id)) return;
        latch[id] = achieved(false);
        dirty = true;
        events.emit('subtask', { id: id, success: true });
      });
      if (successful()) episode.end('success');
    }

    function successful() {
      if (about.target) return latch[about.target].success;
      return ids.every(function (id) { return latch[id].success; });
    }

    function current() {
      if (about.target) return about.target;
      const open = ids.filter(function (id) { return !latch[id].success; });
      return open.length ? open[0] : null;
    }

    function judge() {
      const out = {};
      sync();
      ids.forEach(function (id) { out[id] = { now: holds(id), latched: latch[id].success }; });
      return out;
    }

    // ---- what happens ----------------------------------------------------------------------

    function say(level, text) {
      message = { level: level, text: text };
      dirty = true;
      events.emit('message', { level: level, text: text });
    }

    function raiseFault(faultCode, recoverable, text) {
      episode.fault({ code: faultCode, virtual_ms: clock.now(), recoverable: recoverable, message: text });
      events.emit('fault', { code: faultCode, recoverable: recoverable });
      say('FAULT', text);
      if (recoverable) return;
      fault = faultCode;
      if (about.mode === 'subtask') episode.end('fault');
      popups.alert({ code: faultCode, text: text, onAgain: startAgain });
    }

    function committed(control, before, after, result, step) {
      episode.recorder.apply(step, after, result);
      dirty = true;
      if (result.outcome === 'refused') episode.refused(control.id);
      if (result.text) say(LEVEL_OF[result.outcome] || 'INFO', result.text);
      events.emit('control', {
        id: control.id, before: copy(before), after: copy(after), outcome: result.outcome,
        code: result.code || null, message: result.text || null,
      });
      evaluate();
    }

    // ---- reset and fast-forward -------------------------------------------------------------

    function drawGoal() {
      const base = tasks.goal;
      const goal = copy(base);
      if (about.seed !== 0) Object.assign(goal, definition.drawGoal(env.random('hidden', 'goal')));
      Object.keys(goalWishes).forEach(function (key) {
        if (!(key in base)) return;
        const value = typed(base[key], goalWishes[key]);
        if (definition.legalGoal(key, value)) goal[key] = value;
      });
      return definition.completeGoal(goal);
    }

    // Hidden numbers that would make a predicate true from the start are drawn again.
    function drawHidden() {
      if (about.seed === 0) return copy(tasks.hidden_seed0);
      for (let i = 0; i < 100; i += 1) {
        const hidden = definition.drawHidden(env.random('hidden', String(i)));
        replace(H, hidden);
        if (!ids.some(holds)) return hidden;
      }
      throw new Error('no usable hidden values for this seed');
    }

    function modelReset() {
      transitions.reset();
      gestures.reset();
      popups.closeList();
      popups.closeDialog();
      replace(S, copy(tasks.init));
      replace(G, drawGoal());
      replace(H, drawHidden());
      latch = {};
      ids.forEach(function (id) {
        latch[id] = { success: false, prefilled: false, step: null, virtualMs: null };
      });
      fault = null;
      saved = [];
      instrument.restore();
      clock.every(CHECK_EVERY_MS, evaluate);
      say('INFO', definition.welcome);
    }

    function reset(seed, options) {
      const o = options || {};
      if (seed !== undefined && seed !== null) about.seed = seed >>> 0;
      if (o.mode) about.mode = o.mode === 'full' ? 'full' : 'subtask';
      if (o.goal) goalWishes = o.goal;
      if (Number.isInteger(o.run)) about.run = o.run;
      about.target = null;
      clock.reset();
      modelReset();
      episode.reset();
      refresh();
    }

    function fastForward(id) {
      if (about.mode === 'full') throw new Error('fast-forward disabled in full mode');
      if (ids.indexOf(id) < 0) throw new Error('unknown subtask ' + id);
      clock.reset();
      modelReset();
      episode.reset();
      prefill(id);
      about.target = id;
      refresh();
    }

    function prefill(target) {
      for (let i = 0; ids[i] !== target; i += 1) {
        Object.assign(S, fillAll(tasks.subtasks[i].delta, G));
        definition.adapt(S, G, H, ids[i]);
        latch[ids[i]] = achieved(true);
      }
      instrument.restore();
      sync();
      if (holds(target)) throw new Error(target + ' is already done in its own start state');
    }

    // After a fault that cannot be mended: the instrument anew, the record goes on.
    function startAgain() {
      clock.clear();
      modelReset();
      if (about.target) prefill(about.target);
      refresh();
    }

    // ---- the page ---------------------------------------------------------------------------

    function refresh() {
      sync();
      registry.refresh();
      page.show(message, clock.now(), params.guide ? hint() : null);
      instrument.render();
    }

    function hint() {
      const id = current();
      return id ? id + '  ' + fill(tasks.subtasks[ids.indexOf(id)].say, G) : 'All steps are done.';
    }

    function settle(maxMs) {
      const start = clock.now();
      const limit = start + (maxMs === undefined ? 120000 : maxMs);
      while (transitions.names().length && clock.next() !== null && clock.next() <= limit) {
        clock.advance(clock.next() - clock.now());
      }
      refresh();
      return clock.now() - start;
    }

    function controlEntry(control) {
      const entry = {
        id: control.id, label: control.label, text: control.text ? control.text() : control.label,
        kind: control.kind, dom: Boolean(control.el), bbox: registry.boxOf(control),
        enabled: registry.enabled(control), value: copy(control.get()),
      };
      if (control.kind === 'select') entry.options = popups.optionBoxes(control);
      return entry;
    }

    function pressTwin(control) {
      const step = episode.recorder.open('key', control, null);
      registry.commit(control, undefined, step);
      episode.recorder.close(step);
      refresh();
    }

    // Between events only what moves needs drawing: a transition, a blinking lamp, the seconds.
    function runReal() {
      let shown = -1;
      parts.clock.runFrames(function (dt) {
        dirty = dirty || transitions.names().length > 0;
        clock.frame(dt);
        const tick = Math.floor(clock.now() / BLINK_MS);
        if (!dirty && !transitions.names().length && tick === shown) return;
        shown = tick;
        dirty = false;
        refresh();
      });
    }

    // ---- public names -------------------------------------------------------------------------

    function state() {
      sync();
      return {
        S: copy(S), virtualMs: clock.now(), running: transitions.names(), current: current(),
        fault: fault, instrument: code, goal: copy(G),
      };
    }

    function meta() {
      return freeze({
        viewport: parts.control.STAGE.slice(),
        subtasks: copy(tasks.subtasks.map(function (s) {
          return { id: s.id, name: s.name, level: s.level, category: s.category, n_opt: s.n_opt };
        })),
        goal: copy(G),
        mode: about.mode, seed: about.seed, run: about.run,
        clock: params.stepped ? 'stepped' : 'real',
        stage: { left: stage.left, top: stage.top, zoom: stage.zoom },
      });
    }

    function debugState() {
      if (!params.debug) throw new Error('debugState() needs ?debug=1');
      return freeze(Object.assign(state(), { D: copy(instrument.debug()), H: copy(H) }));
    }

    function finish(reason) {
      if (['step_budget', 'agent_stop', 'execution_error'].indexOf(reason) < 0) {
        throw new Error('unknown reason ' + reason);
      }
      episode.end(reason);
    }

    function exportEpisode() {
      sync();
      return episode.export();
    }

    function publish() {
      const api = {
        version: VERSION,
        instrument: code,
        getState: function () { return freeze(state()); },
        debugState: debugState,
        fastForward: fastForward,
        reset: reset,
        setSpeed: function (x) { clock.setSpeed(x); },
        advance: function (ms) { clock.advance(ms); refresh(); },
        settle: settle,
        isDone: function (id) { return Boolean(latch[id] && latch[id].success); },
        currentSubtask: current,
        on: events.on,
        off: events.off,
        noteAgentStep: function (entry) { episode.recorder.note(entry || {}); },
        exportEpisode: exportEpisode,
        saveEpisode: function () { sync(); episode.download(); },
        finish: finish,
        judge: judge,
        controls: function () { return registry.all().map(controlEntry); },
      };
      Object.defineProperty(api, 'meta', { enumerable: true, get: meta });
      if (params.debug) api.raiseFault = function (c, r, text) { raiseFault(c, r, text); refresh(); };
      window.labos = Object.freeze(api);
    }

    function publishBenchmark() {
      const benchmark = {
        finalize: function () { episode.end('agent_stop'); return exportEpisode(); },
        exportLog: exportEpisode,
      };
      Object.defineProperty(benchmark, 'episode', { enumerable: true, get: exportEpisode });
      window[code + '_BENCHMARK'] = Object.freeze(benchmark);
      window[code + '_BENCHMARK_API'] = Object.freeze({
        markSubtaskAttempt: function (id) {
          if (ids.indexOf(id) < 0) throw new Error('unknown subtask ' + id);
          episode.markAttempt(id);
        },
        markSubtaskSuccess: function (id) {
          if (!params.debug) throw new Error('markSubtaskSuccess() needs ?debug=1');
          latch[id] = achieved(false);
        },
      });
      window[code + '_fast_forward_to_subtask'] = fastForward;
    }

    function start() {
      clock.setSpeed(params.speed);
      reset(about.seed);
      if (params.mode === 'subtask' && ids.indexOf(params.subtask) >= 0) fastForward(params.subtask);
      stage.onResize = function () { parts.canvasui.resizeAll(); refresh(); };
      stage.fit();
      if (params.assist) parts.canvasui.addTwins(registry, stage.root, pressTwin);
      gestures.install();
      publish();
      publishBenchmark();
      if (!params.stepped) runReal();
    }

    start();
  }

  // ---- header and message line -------------------------------------------------------------

  function createPage(params) {
    const bar = document.getElementById('message');
    const level = document.createElement('b');
    const words = document.createElement('span');
    bar.append(level, words);
    const guide = document.createElement('span');
    guide.className = 'guide';
    if (params.guide) bar.appendChild(guide);
    const time = document.getElementById('clock');

    function setText(el, text) {
      if (el.textContent !== text) el.textContent = text;
    }

    function two(n) {
      return (n < 10 ? '0' : '') + n;
    }

    return {
      show: function (message, ms, hint) {
        setText(level, message.level);
        setText(words, message.text);
        bar.setAttribute('data-level', message.level);
        if (hint !== null) setText(guide, hint);
        const s = Math.floor(ms / 1000);
        setText(time, two(Math.floor(s / 60)) + ':' + two(s % 60));
      },
    };
  }

  // A lamp is a coloured disc with a word: off, busy, ready, fault.
  function setLamp(el, status, words) {
    el.setAttribute('data-status', status);
    const text = el.querySelector('span');
    if (text.textContent !== words) text.textContent = words;
  }

  parts.bench = { install: install, setLamp: setLamp };
})();
