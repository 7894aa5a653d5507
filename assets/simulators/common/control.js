// The stage, the control registry and the gestures that act on it.
// One way in: every press, key and menu choice ends in registry.commit().
(function () {
  'use strict';
  const parts = (window.labos = window.labos || { parts: {} }).parts;

  const STAGE_WIDTH = 1280;
  const STAGE_HEIGHT = 800;
  const REPEAT_DELAY_MS = 400;
  const REPEAT_EVERY_MS = 120;
  const KEY_BURST_MS = 400;
  const DRAG_PX = 4;

  // ---- stage: a fixed 1280x800 page, scaled up and centred ------------------------------

  function createStage(root) {
    const stage = { root: root, zoom: 1, left: 0, top: 0, onResize: null };

    stage.fit = function () {
      const w = window.innerWidth;
      const h = window.innerHeight;
      stage.zoom = Math.max(1, Math.min(w / STAGE_WIDTH, h / STAGE_HEIGHT));
      stage.left = Math.max(0, Math.round((w - STAGE_WIDTH * stage.zoom) / 2));
      stage.top = Math.max(0, Math.round((h - STAGE_HEIGHT * stage.zoom) / 2));
      root.style.left = stage.left + 'px';
      root.style.top = stage.top + 'px';
      root.style.transform = stage.zoom === 1 ? 'none' : 'scale(' + stage.zoom + ')';
      if (stage.onResize) stage.onResize();
    };

    // The one place where viewport pixels become stage pixels.
    stage.toStage = function (clientX, clientY) {
      return {
        x: (clientX - stage.left) / stage.zoom,
        y: (clientY - stage.top) / stage.zoom,
      };
    };

    stage.boxOf = function (el) {
      const r = el.getBoundingClientRect();
      const p = stage.toStage(r.left, r.top);
      return [p.x, p.y, r.width / stage.zoom, r.height / stage.zoom].map(function (v) {
        return Math.round(v * 100) / 100;
      });
    };

    window.addEventListener('resize', stage.fit);
    return stage;
  }

  // ---- registry ---------------------------------------------------------------------------

  function prepareDom(control) {
    control.el.id = control.id.replace(/\./g, '-');
    control.el.setAttribute('data-labos-control', control.id);
    if (control.kind === 'select') fillSelect(control);
  }

  function fillSelect(control) {
    const el = control.el;
    el.textContent = '';
    [{ value: '', label: '--' }].concat(control.options).forEach(function (entry) {
      const option = document.createElement('option');
      option.value = String(entry.value);
      option.textContent = entry.label;
      el.appendChild(option);
    });
    el.setAttribute('aria-haspopup', 'listbox');
    el.setAttribute('aria-expanded', 'false');
  }

  // env: {sync(), committed(control, before, after, result, step)}
  function createRegistry(stage, env) {
    const controls = [];
    const byId = {};

    function add(control) {
      controls.push(control);
      byId[control.id] = control;
      if (control.el) prepareDom(control);
      return control;
    }

    function refusal(control, value) {
      return control.refuse ? control.refuse(value) : null;
    }

    function perform(control, value) {
      const no = refusal(control, value);
      if (no) return { outcome: no.ignored ? 'ignored' : 'refused', code: no.code, text: no.text };
      const result = control.act(value) || {};
      return { outcome: result.outcome || 'accepted', code: result.code, text: result.text };
    }

    function commit(control, value, step) {
      env.sync();
      const before = control.get();
      const result = perform(control, value);
      if (result.outcome === 'refused' && control.refused) control.refused();
      env.committed(control, before, control.get(), result, step);
      return result;
    }

    function entryOf(value) {
      return value === '' ? null : value;
    }

    // Option values are typed (numbers stay numbers); a DOM value is only their text.
    function optionValue(control, text) {
      const found = control.options.filter(function (o) { return String(o.value) === text; })[0];
      return entryOf(found ? found.value : '');
    }

    function optionLabel(control, value) {
      const found = control.options.filter(function (o) { return o.value === value; })[0];
      return found ? found.label : '--';
    }

    function boxOf(control) {
      return control.el ? stage.boxOf(control.el) : control.rect.slice();
    }

    function hitCanvas(point) {
      for (let i = controls.length - 1; i >= 0; i -= 1) {
        const r = controls[i].rect;
        if (r && point.x >= r[0] && point.x < r[0] + r[2] && point.y >= r[1] && point.y < r[1] + r[3]) {
          return controls[i];
        }
      }
      return null;
    }

    // The look of every DOM control follows the state; never the other way round.
    function refresh() {
      controls.forEach(function (control) {
        if (!control.el) return;
        const off = refusal(control, undefined) !== null;
        control.el.setAttribute('aria-disabled', off ? 'true' : 'false');
        if (control.kind === 'select') {
          const value = control.get();
          const text = value === null ? '' : String(value);
          if (control.el.value !== text) control.el.value = text;
        }
      });
    }

    return {
      add: add,
      all: function () { return controls.slice(); },
      get: function (id) { return byId[id] || null; },
      enabled: function (control) { return refusal(control, undefined) === null; },
      refusal: refusal,
      commit: commit,
      optionValue: optionValue,
      optionLabel: optionLabel,
      boxOf: boxOf,
      hitCanvas: hitCanvas,
      refresh: refresh,
    };
  }

  // ---- gestures ---------------------------------------------------------------------------

  // tools: {stage, registry, recorder, popups, clock, emit}
  function createGestures(tools) {
    const stage = tools.stage;
    const registry = tools.registry;
    const recorder = tools.recorder;
    const popups = tools.popups;
    const clock = tools.clock;
    let gesture = null;      // the pointer press under way
    let clickStep = null;    // a press on a DOM button, waiting for its click event
    let burst = null;        // keys on one control in quick succession

    function reset() {
      gesture = null;
      clickStep = null;
      burst = null;
    }

    function domControl(node) {
      const el = node && node.closest ? node.closest('[data-labos-control]') : null;
      return el ? registry.get(el.getAttribute('data-labos-control')) : null;
    }

    function captionControl(node) {
      const el = node && node.closest ? node.closest('[data-labos-caption]') : null;
      return el ? registry.get(el.getAttribute('data-labos-caption')) : null;
    }

    function targetOf(ev, point) {
      if (popups.dialogOpen()) return { kind: popups.inDialog(ev.target) ? 'dialog' : 'blocked' };
      if (popups.listOpen()) return popups.optionAt(ev.target) || { kind: 'outside' };
      const dom = domControl(ev.target);
      if (dom) return { kind: dom.kind === 'select' ? 'select' : 'button', control: dom };
      const canvas = registry.hitCanvas(point);
      if (canvas) return { kind: 'canvas', control: canvas };
      const caption = captionControl(ev.target);
      return caption ? { kind: 'caption', control: caption } : { kind: 'none' };
    }

    const onPress = {
      dialog: function () {},
      blocked: function (g) { g.step = recorder.open('click', null, g.from); },
      option: function () {},
      outside: function (g) {
        popups.closeList();
        g.step = recorder.open('click', null, g.from);
      },
      none: function (g) { g.step = recorder.open('click', null, g.from); },
      caption: function (g) {
        g.step = recorder.open('click', g.target.control, g.from);
        g.step.caption = true;
      },
      select: function (g) { g.step = openList(g.target.control, 'click', g.from); },
      button: function (g) { g.step = recorder.open('click', g.target.control, g.from); },
      canvas: function (g) {
        const control = g.target.control;
        g.step = recorder.open('click', control, g.from);
        control.surface.focus(control);
        if (control.track) control.track('start', g.from, g.step);
        else hold(g, control);
      },
    };

    // A press acts at once; held, it repeats after 400 ms and then every 120 ms of virtual time.
    function hold(g, control) {
      const result = registry.commit(control, undefined, g.step);
      if (result.outcome !== 'accepted' || !control.repeats) return;
      g.timer = clock.after(g.repeating ? REPEAT_EVERY_MS : REPEAT_DELAY_MS, function () {
        g.repeating = true;
        hold(g, control);
      });
    }

    function openList(control, type, point) {
      const step = type === 'key' ? keyStep(control) : recorder.open(type, control, point);
      const no = registry.refusal(control, undefined);
      if (no) {
        registry.commit(control, undefined, step);
      } else {
        control.el.focus();
        popups.openList(control);
        step.outcome = 'accepted';
      }
      return step;
    }

    function choose(control, entry, type, point) {
      popups.closeList();
      const step = recorder.open(type, control, point);
      step.chosen = entry.label;
      registry.commit(control, registry.optionValue(control, entry.value), step);
      recorder.close(step);
    }

    function pointerDown(ev) {
      tools.emit('input', inputOf(ev));
      if (ev.button !== 0 || gesture) return;
      settleClick();
      burst = null;
      const point = stage.toStage(ev.clientX, ev.clientY);
      gesture = { from: point, to: point, target: targetOf(ev, point), step: null, timer: null };
      onPress[gesture.target.kind](gesture);
    }

    function pointerMove(ev) {
      const point = stage.toStage(ev.clientX, ev.clientY);
      if (popups.listOpen()) popups.hover(ev.target);
      if (!gesture) return;
      gesture.to = point;
      const control = gesture.target.control;
      if (control && control.track) control.track('move', point, gesture.step);
    }

    function pointerUp(ev) {
      tools.emit('input', inputOf(ev));
      if (!gesture || ev.button > 0) return;
      const g = gesture;
      gesture = null;
      clock.cancel(g.timer);
      g.to = stage.toStage(ev.clientX, ev.clientY);
      finish(g, ev);
    }

    function finish(g, ev) {
      if (g.target.kind === 'option') return finishOption(g, ev);
      if (!g.step) return undefined;
      const control = g.target.control;
      if (control && control.track) control.track('end', g.to, g.step);
      if (Math.hypot(g.to.x - g.from.x, g.to.y - g.from.y) > DRAG_PX) recorder.drag(g.step, g.to);
      if (g.target.kind === 'button' && domControl(ev.target) === control) {
        clickStep = g.step;
        return undefined;
      }
      return recorder.close(g.step);
    }

    function finishOption(g, ev) {
      const at = popups.listOpen() ? popups.optionAt(ev.target) : null;
      if (at && at.index === g.target.index) choose(at.control, at.entry, 'select', g.from);
    }

    // A press whose click never came (released elsewhere) stays in the record as a miss.
    function settleClick() {
      if (clickStep) recorder.close(clickStep);
      clickStep = null;
    }

    function click(ev) {
      const control = domControl(ev.target);
      if (!control || control.kind === 'select' || popups.dialogOpen()) return;
      const pressed = clickStep;
      clickStep = null;
      const step = pressed || keyStep(control);
      registry.commit(control, undefined, step);
      recorder.close(step);
    }

    // Playwright's select_option and assistive technology set the real <select>.
    function change(ev) {
      const control = domControl(ev.target);
      if (!control || control.kind !== 'select') return;
      const entry = { value: ev.target.value, label: '' };
      entry.label = registry.optionLabel(control, registry.optionValue(control, entry.value));
      choose(control, entry, 'select', null);
    }

    function keyStep(control) {
      const now = clock.now();
      if (burst && burst.control === control && now - burst.at < KEY_BURST_MS) {
        burst.at = now;
        return burst.step;
      }
      burst = { control: control, at: now, step: recorder.open('key', control, null) };
      return burst.step;
    }

    function keyDown(ev) {
      tools.emit('input', inputOf(ev));
      if (popups.dialogOpen()) return popups.dialogKey(ev);
      if (popups.listOpen()) return listKey(ev);
      const control = domControl(document.activeElement);
      if (control && control.kind === 'select') return selectKey(ev, control);
      const widget = parts.canvasui.focused();
      return widget ? widgetKey(ev, widget) : undefined;
    }

    function listKey(ev) {
      const control = popups.listControl();
      const picked = popups.key(ev);
      if (picked) choose(control, picked, 'select', null);
    }

    const OPENERS = ['ArrowDown', 'ArrowUp', 'Enter', ' ', 'F4', 'Home', 'End', 'PageUp', 'PageDown'];

    function selectKey(ev, control) {
      if (ev.ctrlKey || ev.metaKey) return;
      const letter = ev.key.length === 1 && ev.key !== ' ';
      if (!letter && OPENERS.indexOf(ev.key) < 0) return;
      ev.preventDefault();
      const step = openList(control, 'key', null);
      if (letter && popups.listOpen()) popups.key(ev);
      recorder.close(step);
    }

    function widgetKey(ev, widget) {
      const plan = widget.keys ? widget.keys(ev) : null;
      if (!plan) return;
      ev.preventDefault();
      const step = keyStep(plan.control);
      plan.control.surface.focus(plan.control);
      for (let i = 0; i < plan.times; i += 1) {
        if (registry.commit(plan.control, plan.value, step).outcome !== 'accepted') break;
      }
      recorder.close(step);
    }

    function inputOf(ev) {
      const point = ev.clientX === undefined ? null : stage.toStage(ev.clientX, ev.clientY);
      return {
        kind: ev.type,
        x: point ? point.x : null,
        y: point ? point.y : null,
        key: ev.key === undefined ? null : ev.key,
        virtual_ms: clock.now(),
      };
    }

    // Handlers run inside guard(): the page is brought up to date after each event.
    function listen(type, handler) {
      window.addEventListener(type, function (ev) {
        handler(ev);
        tools.afterEvent();
      }, true);
    }

    function install() {
      listen('pointerdown', pointerDown);
      listen('pointermove', pointerMove);
      listen('pointerup', pointerUp);
      listen('pointercancel', pointerUp);
      listen('click', click);
      listen('change', change);
      listen('keydown', keyDown);
      window.addEventListener('keyup', function (ev) { tools.emit('input', inputOf(ev)); }, true);
      window.addEventListener('contextmenu', function (ev) { ev.preventDefault(); }, true);
      window.addEventListener('dragstart', function (ev) { ev.preventDefault(); }, true);
      // The native pop-up is a window of its own and would be missing from screenshots.
      window.addEventListener('mousedown', function (ev) {
        const control = domControl(ev.target);
        if ((control && control.kind === 'select') || popups.holds(ev.target)) ev.preventDefault();
      }, true);
    }

    return { install: install, reset: reset };
  }

  parts.control = {
    createStage: createStage,
    createRegistry: createRegistry,
    createGestures: createGestures,
    STAGE: [STAGE_WIDTH, STAGE_HEIGHT],
  };
})();
