// The bench: runs one instrument, latches its subtasks, records the gestures and exports the
// episode. Knows nothing of any instrument; benchmark_<instrument>.js calls install().
(function () {
  'use strict';
  const parts = (window.labos = window.labos || { parts: {} }).parts;

  const VERSION = '1.0.0';
  const CHECK_EVERY_MS = 250;
  const BLINK_MS = 500;
  const RANK = ['miss', 'ignored', 'refused', 'accepted', 'safe', 'fault'];
  const LEVEL_OF = { refused: 'REFUSED', ignored: 'REFUSED', safe: 'CAUTION', fault: 'FAULT' };

  function copy(value) {
    return value === undefined ? null : JSON.parse(JSON.stringify(value));
  }

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

  // ---- transitions ---------------------------------------------------------------------------

  // A named piece of time: marks on the way, an end, and a progress for the drawing.
  function createTransitions(clock, emit, onEnd) {
    let running = {};

    function start(name, ms, plan) {
      stop(name);
      const t = { from: clock.now(), ms: ms, timers: [] };
      running[name] = t;
      (plan.marks || []).forEach(function (mark) { t.timers.push(clock.after(mark[0], mark[1])); });
      t.timers.push(clock.after(ms, function () {
        delete running[name];
        if (plan.end) plan.end();
        emit('transition', { name: name, phase: 'end' });
        onEnd();
      }));
      emit('transition', { name: name, phase: 'start' });
    }

    function stop(name) {
      const t = running[name];
      if (!t) return;
      t.timers.forEach(clock.cancel);
      delete running[name];
      emit('transition', { name: name, phase: 'end' });
    }

    return {
      start: start,
      stop: stop,
      names: function () { return Object.keys(running).sort(); },
      is: function (name) { return name in running; },
      elapsed: function (name) { return running[name] ? clock.now() - running[name].from : 0; },
      progress: function (name) {
        const t = running[name];
        return t ? Math.min(1, (clock.now() - t.from) / t.ms) : 0;
      },
      reset: function () { running = {}; },
    };
  }

  // ---- structural check of an export ---------------------------------------------------------

  const SHAPE = {
    schema_version: 'string', task_id: 'string', episode_id: 'string', env: 'string',
    instrument: 'string', mode: 'string', target_subtask: 'string?', seed: 'integer',
    success: 'boolean', termination: 'string', timestamps: 'object', summary: 'object',
    grounding_metrics: 'object', run_metrics: 'object', subtasks: 'array', steps: 'array',
    faults: 'array', agent_name: 'string?', goal: 'object', assist: 'boolean', artifacts: 'array',
    quality_metrics: 'object',
  };
  const OPTIONAL = ['agent_name', 'goal', 'assist', 'artifacts', 'quality_metrics'];
  const STEP_KEYS = ['index', 'agent_step', 'timestamp_offset_sec', 'virtual_ms', 'subtask_id',
    'action_type', 'target', 'point', 'value_before', 'value_after', 'outcome', 'message',
    'hit_expected_target', 'relies_on_text', 'chosen_text', 'image_quality', 'state_snapshot',
    'reward', 'agent_comment'];
  const METRICS = ['actual_steps', 'target_subtask_attempts', 'target_subtask_success',
    'widget_grounding_accuracy', 'text_grounding_accuracy', 'state_grounding_accuracy'];

  function typeOf(value) {
    if (value === null) return 'null';
    if (Array.isArray(value)) return 'array';
    return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
  }

  function checkEpisode(episode) {
    const wrong = [];
    Object.keys(SHAPE).forEach(function (key) {
      if (!(key in episode)) {
        if (OPTIONAL.indexOf(key) < 0) wrong.push(key + ' is missing');
        return;
      }
      const want = SHAPE[key].replace('?', '');
      const got = typeOf(episode[key]);
      if (got !== want && !(got === 'null' && /\?$/.test(SHAPE[key]))) {
        wrong.push(key + ' is ' + got + ', not ' + want);
      }
    });
    Object.keys(episode).forEach(function (key) { if (!SHAPE[key]) wrong.push(key + ' is unknown'); });
    episode.steps.forEach(function (step, i) {
      Object.keys(step).forEach(function (key) {
        if (STEP_KEYS.indexOf(key) < 0) wrong.push('steps[' + i + '].' + key + ' is unknown');
      });
      if (RANK.indexOf(step.outcome) < 0) wrong.push('steps[' + i + '].outcome');
    });
    METRICS.forEach(function (key) {
      if (!(key in episode.run_metrics)) wrong.push('run_metrics.' + key + ' is missing');
    });
    if (wrong.length) throw new Error('episode does not match the schema: ' + wrong.join('; '));
  }

  // ---- recorder: the steps of the episode ----------------------------------------------------

  // run: {clock, stage, registry, snapshot(), current(), byControl(id), focusOf(id), wallMs()}
  function createRecorder(run) {
    let steps = [];
    let agent = { index: null, count: 0 };

    function targetOf(control) {
      if (!control) return { control_id: null, kind: 'none' };
      const dom = Boolean(control.el);
      return {
        control_id: control.id,
        kind: dom ? 'dom' : 'canvas',
        dom_selector: dom ? '#' + control.el.id : null,
        bbox: run.registry.boxOf(control),
        text: control.text ? control.text() : control.label,
      };
    }

    function open(type, control, point) {
      const current = run.current();
      const step = {
        type: type, control: control, caption: false, closed: false, attempted: false, chosen: null,
        virtualMs: run.clock.now(), offset: run.wallMs(), agentStep: agent.index,
        current: current, target: targetOf(control), outcome: 'miss', message: null,
        before: control ? control.get() : null, after: control ? control.get() : null,
        point: point ? [round(point.x), round(point.y)] : null,
        snapshot: run.snapshot(),
      };
      steps.push(step);
      return step;
    }

    function round(v) {
      return Math.round(v * 100) / 100;
    }

    // Several commits may belong to one gesture (auto-repeat, a key burst): the weightiest counts.
    function apply(step, after, result) {
      if (RANK.indexOf(result.outcome) >= RANK.indexOf(step.outcome)) {
        step.outcome = result.outcome;
        step.message = result.text || null;
      }
      step.after = after;
      step.snapshot = run.snapshot();
      attempt(step);
    }

    function attempt(step) {
      if (step.attempted || !step.control) return;
      step.attempted = true;
      run.attempt(step.control.id);
    }

    function close(step) {
      if (step.closed) return;
      step.closed = true;
      if (step.caption) attempt(step);
      step.snapshot = run.snapshot();
    }

    function unparsable() {
      const step = open('custom', null, null);
      step.message = 'action could not be parsed';
      step.closed = true;
      if (step.current) run.failedAttempt(step.current);
    }

    function hits(step) {
      const own = step.current ? run.controlsOf(step.current) : [];
      return Boolean(step.control) && !step.caption && own.indexOf(step.control.id) >= 0;
    }

    function relies(step) {
      return step.chosen !== null && step.current !== null
        && run.focusOf(step.current).indexOf('text') >= 0;
    }

    function exported(step, index) {
      const out = {
        index: index,
        agent_step: step.agentStep,
        timestamp_offset_sec: Math.round(step.offset) / 1000,
        virtual_ms: step.virtualMs,
        subtask_id: step.current,
        action_type: step.type,
        target: step.target,
        value_before: copy(step.before),
        value_after: copy(step.after),
        outcome: step.outcome,
        message: step.message,
        hit_expected_target: hits(step),
        relies_on_text: relies(step),
        chosen_text: step.chosen,
        state_snapshot: step.snapshot,
      };
      if (step.point) out.point = step.point;
      return out;
    }

    function share(list, good) {
      return list.length ? list.filter(good).length / list.length : null;
    }

    function grounding() {
      const gestures = steps.filter(function (s) { return s.type !== 'custom' && s.current; });
      const choices = gestures.filter(relies);
      const sensitive = steps.filter(function (s) {
        return s.attempted && !s.caption && run.stateSensitive(s.control.id);
      });
      return {
        widget_grounding_accuracy: share(gestures, hits),
        text_grounding_accuracy: share(choices, function (s) { return run.isGoal(s); }),
        state_grounding_accuracy: share(sensitive, function (s) {
          return s.outcome !== 'refused' && s.outcome !== 'fault';
        }),
      };
    }

    return {
      open: open,
      apply: apply,
      close: close,
      drag: function (step, to) {
        step.type = 'drag';
        step.point = step.point.concat([round(to.x), round(to.y)]);
      },
      reset: function () { steps = []; agent = { index: null, count: 0 }; },
      note: function (entry) {
        agent.index = Number.isInteger(entry.index) ? entry.index : null;
        agent.count += 1;
        if (entry.parse_ok === false) unparsable();
      },
      count: function () {
        return steps.filter(function (s) { return s.type !== 'custom'; }).length;
      },
      last: function () { return steps.length ? steps.length - 1 : null; },
      agentSteps: function () { return agent.count; },
      grounding: grounding,
      exported: function () { return steps.map(exported); },
    };
  }

  // ---- install -------------------------------------------------------------------------------

  // definition: see docs/simulators.md, "Adding an instrument".
  function install(definition) {
    const tasks = parts.tasks;
    const params = readParams();
    const code = tasks.instrument;
    const clock = parts.clock.createClock();
    const events = createEvents();
    const stage = parts.control.createStage(document.getElementById('stage'));
    const popups = parts.dialog.createPopups(stage);
    const ids = tasks.subtasks.map(function (s) { return s.id; });
    const bySubtask = {};
    tasks.subtasks.forEach(function (s) { bySubtask[s.id] = s; });

    const S = {};
    const H = {};
    const G = {};
    const run = { seed: params.seed, run: params.run, mode: params.mode, target: null, goal: params.goal };
    let latch = {};
    let attempts = {};
    let refusals = {};
    let faults = [];
    let saved = [];
    let message = { level: 'INFO', text: '' };
    let ended = null;
    let fault = null;
    let startedIso = '';
    let startedMs = 0;
    let endedIso = null;
    let endedMs = 0;
    let dirty = true;

    const wall = parts.clock.wall;
    const transitions = createTransitions(clock, events.emit, evaluate);
    const registry = parts.control.createRegistry(stage, { sync: sync, committed: committed });
    const recorder = createRecorder({
      clock: clock,
      registry: registry,
      snapshot: function () { sync(); return copy(S); },
      current: current,
      attempt: countAttempt,
      failedAttempt: function (id) { attempts[id] += 1; },
      controlsOf: function (id) { return bySubtask[id].attempts; },
      focusOf: function (id) { return bySubtask[id].focus; },
      stateSensitive: function (controlId) {
        return tasks.subtasks.some(function (s) {
          return s.focus.indexOf('state') >= 0 && s.attempts.indexOf(controlId) >= 0;
        });
      },
      isGoal: function (step) {
        return Boolean(step.control.goal) && step.chosen === registry.optionLabel(step.control, step.control.goal(G));
      },
      wallMs: function () { return wall.ms() - startedMs; },
    });

    const env = {
      S: S, G: G, H: H, clock: clock, stage: stage, registry: registry, transitions: transitions,
      random: function (stream, extra) { return parts.prng.forSeed(code, run.seed)(stream, extra); },
      say: say,
      fault: raiseFault,
      save: function (kind, name, make) {
        saved.push({ kind: kind, name: name, make: make });
        events.emit('save', { kind: kind, name: name });
      },
    };

    // ---- state ---------------------------------------------------------------------------

    function sync() {
      if (instrument) instrument.sync();
    }

    function predicate(id) {
      return Boolean(definition.predicates[id](S, G));
    }

    function evaluate() {
      sync();
      ids.forEach(function (id) {
        if (latch[id].success || !predicate(id)) return;
        latch[id] = { success: true, prefilled: false, step: recorder.last(), virtualMs: clock.now() };
        dirty = true;
        events.emit('subtask', { id: id, success: true });
      });
      if (!ended && successful()) end('success');
    }

    function successful() {
      if (run.target) return latch[run.target].success;
      return ids.every(function (id) { return latch[id].success; });
    }

    function end(termination) {
      if (ended) return;
      ended = termination;
      endedIso = wall.iso();
      endedMs = wall.ms();
      events.emit('episode', { success: successful(), termination: termination });
    }

    function current() {
      if (run.target) return run.target;
      const open = ids.filter(function (id) { return !latch[id].success; });
      return open.length ? open[0] : null;
    }

    function say(level, text) {
      message = { level: level, text: text };
      dirty = true;
      events.emit('message', { level: level, text: text });
    }

    function raiseFault(faultCode, recoverable, text) {
      faults.push({ code: faultCode, virtual_ms: clock.now(), recoverable: recoverable, message: text });
      events.emit('fault', { code: faultCode, recoverable: recoverable });
      say('FAULT', text);
      if (recoverable) return;
      fault = faultCode;
      if (run.mode === 'subtask') end('fault');
      popups.alert({ code: faultCode, text: text, onAgain: startAgain });
    }

    function countAttempt(controlId) {
      ids.forEach(function (id) {
        if (bySubtask[id].attempts.indexOf(controlId) < 0) return;
        attempts[id] += 1;
        events.emit('attempt', { subtask_id: id, control_id: controlId });
      });
    }

    function committed(control, before, after, result, step) {
      recorder.apply(step, after, result);
      dirty = true;
      if (result.outcome === 'refused') {
        ids.forEach(function (id) {
          if (bySubtask[id].attempts.indexOf(control.id) >= 0) refusals[id] += 1;
        });
      }
      const level = LEVEL_OF[result.outcome];
      if (result.text) say(level || 'INFO', result.text);
      events.emit('control', {
        id: control.id, before: copy(before), after: copy(after), outcome: result.outcome,
        code: result.code || null, message: result.text || null,
      });
      evaluate();
    }

    // ---- reset and fast-forward -----------------------------------------------------------

    function replace(target, source) {
      Object.keys(target).forEach(function (key) { delete target[key]; });
      Object.assign(target, source);
    }

    function typed(sample, text) {
      return typeof sample === 'number' ? Number(text) : typeof sample === 'boolean' ? text === 'true' : String(text);
    }

    function drawGoal() {
      const base = tasks.goal;
      const drawn = run.seed === 0 ? copy(base) : definition.drawGoal(env.random('hidden', 'goal'));
      const goal = Object.assign(copy(base), drawn);
      Object.keys(run.goal).forEach(function (key) {
        if (!(key in base)) return;
        const value = typed(base[key], run.goal[key]);
        if (definition.legalGoal(key, value)) goal[key] = value;
      });
      return definition.completeGoal(goal);
    }

    // Hidden numbers that would make a predicate true from the start are drawn again.
    function drawHidden() {
      if (run.seed === 0) return copy(tasks.hidden_seed0);
      for (let i = 0; i < 100; i += 1) {
        const hidden = definition.drawHidden(env.random('hidden', String(i)));
        replace(H, hidden);
        if (!ids.some(predicate)) return hidden;
      }
      throw new Error('no usable hidden values for this seed');
    }

    function modelReset() {
      clock.reset();
      transitions.reset();
      gestures.reset();
      popups.closeList();
      popups.closeDialog();
      replace(S, copy(tasks.init));
      replace(G, drawGoal());
      replace(H, drawHidden());
      latch = {};
      ids.forEach(function (id) { latch[id] = { success: false, prefilled: false, step: null, virtualMs: null }; });
      fault = null;
      saved = [];
      instrument.restore();
      clock.every(CHECK_EVERY_MS, evaluate);
      say('INFO', definition.welcome);
    }

    function zero(what) {
      ids.forEach(function (id) { what[id] = 0; });
      return what;
    }

    function recordReset() {
      attempts = zero({});
      refusals = zero({});
      faults = [];
      ended = null;
      endedIso = null;
      startedIso = wall.iso();
      startedMs = wall.ms();
      recorder.reset();
    }

    function reset(seed, options) {
      const o = options || {};
      if (seed !== undefined && seed !== null) run.seed = seed >>> 0;
      if (o.mode) run.mode = o.mode === 'full' ? 'full' : 'subtask';
      if (o.goal) run.goal = o.goal;
      if (Number.isInteger(o.run)) run.run = o.run;
      run.target = null;
      modelReset();
      recordReset();
      refresh();
    }

    function fastForward(id) {
      if (run.mode === 'full') throw new Error('fast-forward disabled in full mode');
      if (ids.indexOf(id) < 0) throw new Error('unknown subtask ' + id);
      modelReset();
      recordReset();
      prefill(id);
      run.target = id;
      refresh();
    }

    function prefill(target) {
      for (let i = 0; ids[i] !== target; i += 1) {
        Object.assign(S, fillAll(bySubtask[ids[i]].delta, G));
        definition.adapt(S, G, H, ids[i]);
        latch[ids[i]] = { success: true, prefilled: true, step: null, virtualMs: null };
      }
      instrument.restore();
      sync();
      if (predicate(target)) throw new Error(target + ' is already done in its own start state');
    }

    // After a fault that cannot be mended: the instrument anew, the record goes on.
    function startAgain() {
      const target = run.target;
      modelReset();
      if (target) prefill(target);
      run.target = target;
      refresh();
    }

    // ---- export ---------------------------------------------------------------------------

    function taskId() {
      return code + '-' + (run.target || 'full');
    }

    function episodeId() {
      const name = taskId().toLowerCase().replace(/[^0-9a-z]+/g, '_');
      const key = [code, run.seed, taskId(), run.run].join(':');
      return code.toLowerCase() + '_ep_' + name + '_s' + run.seed + '_r' + run.run + '_' + parts.prng.hash(key).slice(0, 8);
    }

    function subtaskRecord(s) {
      const l = latch[s.id];
      return {
        subtask_id: s.id, name: s.name, level: s.level, category: s.category,
        success: l.success, prefilled: l.prefilled, attempts: attempts[s.id], refusals: refusals[s.id],
        first_success_step: l.prefilled ? null : l.step,
        first_success_virtual_ms: l.virtualMs,
        still_true_at_end: predicate(s.id),
        grounding_focus: s.focus, success_criteria: s.done_when,
      };
    }

    function summary(success) {
      const optimal = run.target ? bySubtask[run.target].n_opt : tasks.n_opt;
      const agent = recorder.agentSteps();
      return {
        optimal_steps: optimal,
        actual_steps: recorder.count(),
        agent_steps: agent,
        step_efficiency: success && agent > 0 ? Math.min(1, optimal / agent) : 0,
      };
    }

    function exportEpisode() {
      sync();
      const success = successful();
      const grounding = recorder.grounding();
      const episode = {
        schema_version: '1.0', task_id: taskId(), episode_id: episodeId(), env: tasks.env,
        instrument: code, agent_name: null, mode: run.mode, target_subtask: run.target,
        seed: run.seed, goal: copy(G), assist: params.assist, success: success,
        termination: ended || 'running',
        timestamps: {
          start_time: startedIso, end_time: endedIso,
          duration_sec: Math.max(0, Math.round((endedIso ? endedMs : wall.ms()) - startedMs)) / 1000,
          virtual_ms: clock.now(),
        },
        summary: summary(success),
        grounding_metrics: grounding,
        run_metrics: Object.assign({
          actual_steps: recorder.count(),
          target_subtask_attempts: run.target ? attempts[run.target] : null,
          target_subtask_success: run.target ? latch[run.target].success : null,
        }, grounding),
        subtasks: tasks.subtasks.map(subtaskRecord),
        steps: recorder.exported(),
        faults: copy(faults),
        artifacts: artifacts(),
      };
      if (params.debug) checkEpisode(episode);
      return copy(episode);
    }

    function artifacts() {
      const files = saved.map(function (file) { return { kind: file.kind, name: file.name }; });
      if (!params.shot) return files;
      return files.concat(instrument.pictures().map(function (picture) {
        return { kind: 'image/png', name: picture.name, data_url: picture.canvas.toDataURL('image/png') };
      }));
    }

    function saveEpisode() {
      const blob = new Blob([JSON.stringify(exportEpisode(), null, 2)], { type: 'application/json' });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob);
      link.download = 'episode_' + episodeId() + '.json';
      link.click();
      URL.revokeObjectURL(link.href);
    }

    // ---- the page -------------------------------------------------------------------------

    const page = createPage(params, definition, tasks);

    function refresh() {
      sync();
      registry.refresh();
      page.show(message, clock.now(), guideText());
      instrument.render();
    }

    function guideText() {
      const id = current();
      if (!params.guide) return null;
      return id ? id + '  ' + fill(bySubtask[id].say, G) : 'All steps are done.';
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

    function controlList() {
      return registry.all().map(function (control) {
        const entry = {
          id: control.id, label: control.label, text: control.text ? control.text() : control.label, kind: control.kind,
          dom: Boolean(control.el), bbox: registry.boxOf(control), enabled: registry.enabled(control),
          value: copy(control.get()),
        };
        if (control.kind === 'select') entry.options = popups.optionBoxes(control);
        return entry;
      });
    }

    function judge() {
      const out = {};
      sync();
      ids.forEach(function (id) { out[id] = { now: predicate(id), latched: latch[id].success }; });
      return out;
    }

    function state() {
      sync();
      return { S: copy(S), virtualMs: clock.now(), running: transitions.names(), current: current(), fault: fault };
    }

    const instrument = definition.build(env);
    const gestures = parts.control.createGestures({
      stage: stage, registry: registry, recorder: recorder, popups: popups, clock: clock,
      emit: events.emit, afterEvent: refresh,
    });

    function metaOf() {
      return freeze({
        viewport: parts.control.STAGE.slice(),
        subtasks: copy(tasks.subtasks.map(function (s) {
          return { id: s.id, name: s.name, level: s.level, category: s.category, n_opt: s.n_opt };
        })),
        goal: copy(G),
        mode: run.mode, seed: run.seed, run: run.run, clock: params.stepped ? 'stepped' : 'real',
        stage: { left: stage.left, top: stage.top, zoom: stage.zoom },
      });
    }

    function publish() {
      const api = {
        version: VERSION,
        instrument: code,
        getState: function () { return freeze(state()); },
        debugState: function () {
          if (!params.debug) throw new Error('debugState() needs ?debug=1');
          return freeze(Object.assign(state(), { D: copy(instrument.debug()), H: copy(H) }));
        },
        fastForward: fastForward,
        reset: reset,
        setSpeed: function (x) { clock.setSpeed(x); },
        advance: function (ms) { clock.advance(ms); refresh(); },
        settle: settle,
        isDone: function (id) { return Boolean(latch[id] && latch[id].success); },
        currentSubtask: current,
        on: events.on,
        off: events.off,
        noteAgentStep: function (entry) { recorder.note(entry || {}); },
        exportEpisode: exportEpisode,
        saveEpisode: saveEpisode,
        finish: function (reason) {
          if (['step_budget', 'agent_stop', 'execution_error'].indexOf(reason) < 0) {
            throw new Error('unknown reason ' + reason);
          }
          end(reason);
        },
        judge: judge,
        controls: controlList,
      };
      Object.defineProperty(api, 'meta', { enumerable: true, get: metaOf });
      if (params.debug) api.raiseFault = function (c, r, text) { raiseFault(c, r, text); refresh(); };
      window.labos = Object.freeze(api);
      publishBenchmark();
    }

    function publishBenchmark() {
      const benchmark = {
        finalize: function () { end('agent_stop'); return exportEpisode(); },
        exportLog: exportEpisode,
      };
      Object.defineProperty(benchmark, 'episode', { enumerable: true, get: exportEpisode });
      window[code + '_BENCHMARK'] = Object.freeze(benchmark);
      window[code + '_BENCHMARK_API'] = Object.freeze({
        markSubtaskAttempt: function (id) {
          if (ids.indexOf(id) < 0) throw new Error('unknown subtask ' + id);
          attempts[id] += 1;
        },
        markSubtaskSuccess: function (id) {
          if (!params.debug) throw new Error('markSubtaskSuccess() needs ?debug=1');
          latch[id] = { success: true, prefilled: false, step: recorder.last(), virtualMs: clock.now() };
        },
      });
      window[code + '_fast_forward_to_subtask'] = fastForward;
    }

    function start() {
      clock.setSpeed(params.speed);
      stage.onResize = function () { parts.canvasui.resizeAll(); refresh(); };
      reset(run.seed);
      if (params.mode === 'subtask' && ids.indexOf(params.subtask) >= 0) fastForward(params.subtask);
      stage.fit();
      if (params.assist) parts.canvasui.addTwins(registry, stage.root, pressTwin);
      gestures.install();
      publish();
      if (!params.stepped) runReal();
    }

    function pressTwin(control) {
      const step = recorder.open('key', control, null);
      registry.commit(control, undefined, step);
      recorder.close(step);
      refresh();
    }

    // Between events only what moves needs drawing: a running transition or the seconds display.
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

    start();
  }

  // ---- header and message line -------------------------------------------------------------

  function createPage(params, definition) {
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
