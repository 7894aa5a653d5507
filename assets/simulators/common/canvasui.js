// Canvas surfaces and the widgets drawn on them. A widget has no DOM node of its own, so it
// can only be worked by pointing at it or, once focused, by keys.
(function () {
  'use strict';
  const parts = (window.labos = window.labos || { parts: {} }).parts;

  const FONT = '"DejaVu Sans", Verdana, Arial, sans-serif';
  const surfaces = [];

  // box = [x, y, w, h] in stage pixels; painters draw in stage-sized units from its corner.
  function createSurface(canvas, box, stage) {
    const ctx = canvas.getContext('2d');
    const surface = { canvas: canvas, box: box, widget: null, controls: [], generation: 0 };

    surface.resize = function () {
      const ratio = stage.zoom * (window.devicePixelRatio || 1);
      canvas.width = Math.round(box[2] * ratio);
      canvas.height = Math.round(box[3] * ratio);
      surface.ratio = ratio;
      surface.generation += 1;
    };

    surface.paint = function (painter) {
      ctx.setTransform(surface.ratio, 0, 0, surface.ratio, 0, 0);
      ctx.clearRect(0, 0, box[2], box[3]);
      // Nothing a painter sets may linger: a picture must not depend on earlier ones.
      ctx.save();
      painter(ctx, box[2], box[3]);
      ctx.restore();
    };

    surface.focus = function (control) {
      surface.widget = control;
      canvas.focus({ preventScroll: true });
    };

    surface.hasFocus = function (control) {
      return surface.widget === control && document.activeElement === canvas;
    };

    canvas.style.left = box[0] + 'px';
    canvas.style.top = box[1] + 'px';
    canvas.style.width = box[2] + 'px';
    canvas.style.height = box[3] + 'px';
    canvas.addEventListener('focus', function () {
      if (!surface.widget && surface.controls.length) surface.widget = surface.controls[0];
    });
    surface.resize();
    surfaces.push(surface);
    return surface;
  }

  function focused() {
    const surface = surfaces.filter(function (s) { return s.canvas === document.activeElement; })[0];
    return surface ? surface.widget : null;
  }

  function roundRect(ctx, x, y, w, h, r) {
    ctx.beginPath();
    ctx.moveTo(x + r, y);
    ctx.arcTo(x + w, y, x + w, y + h, r);
    ctx.arcTo(x + w, y + h, x, y + h, r);
    ctx.arcTo(x, y + h, x, y, r);
    ctx.arcTo(x, y, x + w, y, r);
    ctx.closePath();
  }

  function text(ctx, words, x, y, size, colour, align, weight) {
    ctx.font = (weight || '400') + ' ' + size + 'px ' + FONT;
    ctx.fillStyle = colour;
    ctx.textAlign = align || 'left';
    ctx.textBaseline = 'middle';
    ctx.fillText(words, x, y);
  }

  // ---- spin: two arrow buttons with the value between them -------------------------------

  // spec: {id, label, surface, at:[x,y,w], up, down} with up/down = {refuse, act}, get, text
  function createSpin(spec) {
    const box = spec.surface.box;
    const x = box[0] + spec.at[0];
    const y = box[1] + spec.at[1];
    const w = spec.at[2];
    const h = 36;
    const side = 44;
    const spin = { spec: spec, blink: {} };

    function arrow(name, left) {
      return {
        id: spec.id + '.' + name,
        label: spec.label + ' ' + name,
        kind: 'spin',
        repeats: true,
        surface: spec.surface,
        rect: [left, y, side, h],
        get: spec.get,
        refuse: spec[name].refuse,
        act: spec[name].act,
        keys: function (ev) { return keyPlan(spin, ev, name); },
      };
    }

    spin.down = arrow('down', x);
    spin.up = arrow('up', x + w - side);
    spec.surface.controls.push(spin.down, spin.up);
    // Everything its picture depends on.
    spin.looks = function () {
      return [spin.up, spin.down].map(function (control) {
        return [
          spec.text(), control.refuse(undefined) !== null, spec.surface.hasFocus(control),
          Boolean(spec.blinking && spec.blinking(control.id)),
        ];
      });
    };
    spin.paint = function (ctx) { paintSpin(ctx, spin, [spec.at[0], spec.at[1], w, h], side); };
    return spin;
  }

  const STEPS = { ArrowUp: 'up', ArrowRight: 'up', ArrowDown: 'down', ArrowLeft: 'down' };

  function keyPlan(spin, ev, own) {
    if (ev.key === 'Enter' || ev.key === ' ') return { control: spin[own], times: 1 };
    if (ev.key === 'Home') return { control: spin.down, times: 1000 };
    if (ev.key === 'End') return { control: spin.up, times: 1000 };
    const way = STEPS[ev.key];
    return way ? { control: spin[way], times: ev.shiftKey ? 10 : 1 } : null;
  }

  function paintSpin(ctx, spin, r, side) {
    const spec = spin.spec;
    roundRect(ctx, r[0] + side + 4, r[1], r[2] - 2 * side - 8, r[3], 4);
    ctx.fillStyle = '#f7f9f6';
    ctx.fill();
    ctx.strokeStyle = '#9aa5ad';
    ctx.lineWidth = 1;
    ctx.stroke();
    text(ctx, spec.text(), r[0] + r[2] / 2, r[1] + r[3] / 2 + 1, 16, '#16211b', 'center', '700');
    paintArrow(ctx, spin, 'down', r[0], r[1], side, r[3]);
    paintArrow(ctx, spin, 'up', r[0] + r[2] - side, r[1], side, r[3]);
  }

  function paintArrow(ctx, spin, name, x, y, w, h) {
    const control = spin[name];
    const off = control.refuse && control.refuse(undefined) !== null;
    const red = spin.spec.blinking && spin.spec.blinking(control.id);
    ctx.globalAlpha = off && !red ? 0.45 : 1;
    roundRect(ctx, x + 0.5, y + 0.5, w - 1, h - 1, 5);
    ctx.fillStyle = red ? '#f3c9c6' : '#dfe5ea';
    ctx.fill();
    ctx.strokeStyle = red ? '#b3261e' : '#7d8a94';
    ctx.lineWidth = 1;
    ctx.stroke();
    const s = name === 'up' ? -1 : 1;
    const cx = x + w / 2;
    const cy = y + h / 2;
    ctx.beginPath();
    ctx.moveTo(cx - 8, cy - 5 * s);
    ctx.lineTo(cx + 8, cy - 5 * s);
    ctx.lineTo(cx, cy + 6 * s);
    ctx.closePath();
    ctx.fillStyle = red ? '#b3261e' : '#22303a';
    ctx.fill();
    ctx.globalAlpha = 1;
    if (spin.spec.surface.hasFocus(control)) focusRing(ctx, x, y, w, h);
  }

  function focusRing(ctx, x, y, w, h) {
    roundRect(ctx, x + 2.5, y + 2.5, w - 5, h - 5, 4);
    ctx.strokeStyle = '#1a63d6';
    ctx.lineWidth = 2;
    ctx.stroke();
  }

  // ---- twins for assistive technology (assist=1 only) -------------------------------------

  function addTwins(registry, root, press) {
    registry.all().filter(function (c) { return c.surface; }).forEach(function (control) {
      const twin = document.createElement(control.kind === 'spin' ? 'button' : 'input');
      twin.className = 'twin';
      twin.setAttribute('aria-label', control.label);
      twin.setAttribute('data-labos-twin', control.id);
      if (control.kind !== 'spin') twin.type = 'range';
      else twin.type = 'button';
      twin.addEventListener('click', function () { press(control); });
      root.appendChild(twin);
    });
  }

  parts.canvasui = {
    FONT: FONT,
    createSurface: createSurface,
    createSpin: createSpin,
    focused: focused,
    resizeAll: function () { surfaces.forEach(function (s) { s.resize(); }); },
    roundRect: roundRect,
    text: text,
    addTwins: addTwins,
  };
})();
