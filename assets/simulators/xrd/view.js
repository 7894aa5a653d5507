// What the diffractometer shows: read-outs, lamps, goniometer picture and plot.
(function () {
  'use strict';
  const parts = (window.labos = window.labos || { parts: {} }).parts;
  const ui = parts.canvasui;

  const GONIOMETER = [432, 84, 832, 330];
  const PLOT = [432, 424, 832, 360];
  const ANGLES = [28, 344, 178, 124];
  const CENTRE = [416, 226];
  const ARM = 206;
  const PARKED = 10;
  const RAD = Math.PI / 180;

  const DOOR_WORDS = { closed: 'CLOSED', open: 'OPEN', opening: 'MOVING', closing: 'MOVING' };
  const TUBE_WORDS = { standby: 'STANDBY', ramping: 'RAMPING', on: 'READY', cooling: 'COOLING' };
  const SCAN_WORDS = { idle: 'IDLE', running: 'RUNNING', returning: 'RETURNING', aborted: 'ABORTED' };

  function create(env, model) {
    const S = env.S;
    const D = model.D;
    const run = env.transitions;

    function el(id) {
      return document.getElementById(id);
    }

    const goniometer = ui.createSurface(el('goniometer'), GONIOMETER, env.stage);
    const plot = ui.createSurface(el('plot'), PLOT, env.stage);
    const angles = ui.createSurface(el('angles'), ANGLES, env.stage);
    angles.canvas.style.left = ANGLES[0] - 17 + 'px';
    angles.canvas.style.top = ANGLES[1] - 85 + 'px';

    // ---- read-outs ------------------------------------------------------------------------

    function put(id, text) {
      const node = el(id);
      if (node.textContent !== text) node.textContent = text;
    }

    function scanWord() {
      if (S.scan !== 'done') return SCAN_WORDS[S.scan];
      return S.outdated ? 'OUTDATED' : 'DONE';
    }

    function holderWord() {
      if (run.is('loading')) return 'LOADING';
      return S.loaded ? 'LOADED' : 'EMPTY';
    }

    function readouts() {
      const specimen = model.specimen();
      put('show-specimen', specimen ? specimen.label : 'NONE');
      put('show-doors', DOOR_WORDS[S.doors]);
      put('show-holder', holderWord());
      put('show-tube', TUBE_WORDS[S.tube]);
      put('show-kv', String(S.kV));
      put('show-ma', String(S.mA));
      put('show-start', S.start.toFixed(1));
      put('show-end', S.end.toFixed(1));
      put('show-step', S.step === null ? 'NOT SET' : S.step + ' deg');
      put('show-rate', S.rate === null ? 'NOT SET' : S.rate + ' deg/sec');
      put('show-shutter', S.shutter.toUpperCase());
      put('show-scan', scanWord());
      put('show-points', String(S.scanPoints));
      put('show-file', S.saved ? 'SAVED' : 'NOT SAVED');
      put('scan-time', S.rate === null ? '-- s' : Math.round((S.end - S.start) / S.rate) + ' s');
    }

    function buttons() {
      ['xrd.doors', 'xrd.standby', 'xrd.startScan', 'xrd.save'].forEach(function (id) {
        const control = env.registry.get(id);
        put(control.el.id, control.text());
      });
      el('xrd-standby').setAttribute('data-on', S.tube === 'on' || S.tube === 'ramping');
      el('bar-kv').style.width = (S.kV / 40) * 100 + '%';
      el('bar-ma').style.width = (S.mA / 40) * 100 + '%';
      const part = D.total ? Math.round((S.scanPoints / D.total) * 100) : 0;
      el('progress').firstElementChild.style.width = part + '%';
      el('progress').setAttribute('aria-valuenow', String(part));
    }

    // Busy lamps blink at 1 Hz of virtual time.
    function busy() {
      return Math.floor(env.clock.now() / 500) % 2 ? 'dim' : 'busy';
    }

    function lamps() {
      const lamp = parts.bench.setLamp;
      const moving = S.doors === 'opening' || S.doors === 'closing';
      const tube = { standby: 'off', ramping: busy(), on: 'ready', cooling: busy() }[S.tube];
      lamp(el('lamp-tube'), tube, 'TUBE ' + TUBE_WORDS[S.tube]);
      lamp(el('lamp-ready'), tube, { standby: 'OFF', ramping: 'WAIT', on: 'READY', cooling: 'WAIT' }[S.tube]);
      lamp(el('lamp-doors'), moving ? busy() : S.doors === 'closed' ? 'ready' : 'off', 'DOORS ' + DOOR_WORDS[S.doors]);
      lamp(el('lamp-beam'), S.shutter === 'open' ? 'fault' : 'off', S.shutter === 'open' ? 'X-RAYS ON' : 'X-RAYS OFF');
      lamp(el('lamp-scan'), model.scanning() ? busy() : S.scan === 'done' ? 'ready' : 'off', 'SCAN ' + scanWord());
    }

    // ---- goniometer -----------------------------------------------------------------------

    function scanAngle() {
      return D.from + S.scanPoints * D.step;
    }

    // Two-theta as drawn. The swing to the first angle is shown, not simulated.
    function drawnAngle() {
      if (S.scan === 'running') {
        const swing = Math.min(1, run.elapsed('scan') / 400);
        return PARKED + (scanAngle() - PARKED) * swing;
      }
      if (run.is('armReturn')) {
        return D.stopAngle + (PARKED - D.stopAngle) * run.progress('armReturn');
      }
      return PARKED;
    }

    function doorGap() {
      if (S.doors === 'opening') return run.progress('doors');
      if (S.doors === 'closing') return 1 - run.progress('doors');
      return S.doors === 'open' ? 1 : 0;
    }

    function paintGoniometer(ctx, w, h) {
      const theta = drawnAngle() / 2;
      paintChamber(ctx, w, h);
      paintScale(ctx);
      if (S.shutter === 'open') paintBeam(ctx, theta);
      paintArm(ctx, theta, -1);
      paintArm(ctx, theta, 1);
      paintStage(ctx);
      paintDoors(ctx, w, h, doorGap());
      paintSign(ctx, w);
      ui.text(ctx, '2-theta  ' + drawnAngle().toFixed(1) + ' deg', 62, h - 24, 15, '#eef3f5', 'left', '700');
    }

    function paintChamber(ctx, w, h) {
      const wall = ctx.createLinearGradient(0, 0, 0, h);
      wall.addColorStop(0, '#3a4750');
      wall.addColorStop(1, '#222b31');
      ctx.fillStyle = wall;
      ctx.fillRect(0, 0, w, h);
      ctx.strokeStyle = '#46545d';
      ctx.lineWidth = 1;
      for (let x = 64; x < w; x += 64) line(ctx, x, 0, x, h - 42);
      ctx.fillStyle = '#181f24';
      ctx.fillRect(0, h - 42, w, 42);
      ctx.fillStyle = '#5a6973';
      ctx.fillRect(0, h - 43, w, 1);
    }

    function line(ctx, x0, y0, x1, y1) {
      ctx.beginPath();
      ctx.moveTo(x0, y0);
      ctx.lineTo(x1, y1);
      ctx.stroke();
    }

    function paintScale(ctx) {
      ctx.strokeStyle = '#7f909b';
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      ctx.arc(CENTRE[0], CENTRE[1], 118, Math.PI, 2 * Math.PI);
      ctx.stroke();
      for (let a = 0; a <= 180; a += 5) {
        const inner = a % 10 === 0 ? 109 : 113;
        const c = Math.cos(a * RAD);
        const s = Math.sin(a * RAD);
        line(ctx, CENTRE[0] + inner * c, CENTRE[1] - inner * s, CENTRE[0] + 118 * c, CENTRE[1] - 118 * s);
      }
    }

    function tip(theta, side, length) {
      return [CENTRE[0] + side * length * Math.cos(theta * RAD), CENTRE[1] - length * Math.sin(theta * RAD)];
    }

    function paintBeam(ctx, theta) {
      const tube = tip(theta, -1, ARM - 20);
      const detector = tip(theta, 1, ARM - 20);
      [[9, '#ff4a3d33'], [4, '#ff5a4a88'], [1.6, '#ffd9d2']].forEach(function (pen) {
        ctx.lineWidth = pen[0];
        ctx.strokeStyle = pen[1];
        line(ctx, tube[0], tube[1], CENTRE[0], CENTRE[1]);
        line(ctx, CENTRE[0], CENTRE[1], detector[0], detector[1]);
      });
    }

    function paintArm(ctx, theta, side) {
      ctx.save();
      ctx.translate(CENTRE[0], CENTRE[1]);
      ctx.scale(side, 1);
      ctx.rotate(-theta * RAD);
      ctx.fillStyle = '#8897a1';
      ctx.fillRect(20, 13, ARM, 9);
      ctx.fillStyle = '#66757f';
      ctx.fillRect(20, 19, ARM, 3);
      (side < 0 ? paintTube : paintDetector)(ctx);
      ctx.restore();
    }

    function paintTube(ctx) {
      ui.roundRect(ctx, ARM - 14, -24, 84, 52, 8);
      ctx.fillStyle = '#b5482f';
      ctx.fill();
      ctx.fillStyle = '#8e3522';
      ctx.fillRect(ARM + 6, -24, 6, 52);
      ctx.fillRect(ARM + 34, -24, 6, 52);
      ctx.fillStyle = '#d7dee2';
      ctx.fillRect(ARM - 26, -9, 14, 18);
      ctx.fillStyle = { standby: '#565f65', ramping: '#e0a020', on: '#5fe084', cooling: '#e0a020' }[S.tube];
      ctx.beginPath();
      ctx.arc(ARM + 55, 2, 6, 0, 2 * Math.PI);
      ctx.fill();
    }

    function paintDetector(ctx) {
      ui.roundRect(ctx, ARM - 12, -20, 70, 44, 6);
      ctx.fillStyle = '#2f6f9f';
      ctx.fill();
      ctx.fillStyle = '#235880';
      ctx.fillRect(ARM + 10, -20, 5, 44);
      ctx.fillStyle = '#d7dee2';
      ctx.fillRect(ARM - 24, -7, 14, 14);
    }

    function paintStage(ctx) {
      ctx.fillStyle = '#55636d';
      ctx.fillRect(CENTRE[0] - 16, CENTRE[1] + 22, 32, 64);
      ui.roundRect(ctx, CENTRE[0] - 58, CENTRE[1] + 12, 116, 14, 4);
      ctx.fillStyle = '#9eabb4';
      ctx.fill();
      ctx.fillStyle = '#6f7d87';
      ctx.fillRect(CENTRE[0] - 58, CENTRE[1] + 22, 116, 3);
      const specimen = model.specimen();
      if (!specimen || !(S.loaded || run.is('loading'))) return;
      const part = S.loaded ? 1 : run.progress('loading');
      paintHolder(ctx, specimen, CENTRE[0] + (1 - part) * 190, CENTRE[1] - (1 - part) * 30);
    }

    function paintHolder(ctx, specimen, x, y) {
      ui.roundRect(ctx, x - 42, y, 84, 12, 3);
      ctx.fillStyle = '#e3e8eb';
      ctx.fill();
      ctx.fillStyle = specimen.tint;
      ctx.fillRect(x - 28, y, 56, 7);
      ctx.strokeStyle = '#3c4a54';
      ctx.lineWidth = 1;
      ctx.strokeRect(x - 28, y, 56, 7);
    }

    function paintDoors(ctx, w, h, gap) {
      const width = w / 2;
      const shift = gap * (width - 46);
      [0, 1].forEach(function (side) {
        ctx.save();
        ctx.translate(side ? w : 0, 0);
        ctx.scale(side ? -1 : 1, 1);
        ctx.translate(-shift, 0);
        ctx.fillStyle = '#9fd0e01f';
        ctx.fillRect(0, 0, width, h);
        ctx.fillStyle = '#dff3fa12';
        ctx.beginPath();
        ctx.moveTo(width * 0.3, 0);
        ctx.lineTo(width * 0.55, 0);
        ctx.lineTo(width * 0.3, h);
        ctx.lineTo(width * 0.05, h);
        ctx.fill();
        paintFrame(ctx, width, h);
        ctx.restore();
      });
    }

    // Broad at the wall, slim where the doors meet: the specimen must stay in sight.
    function paintFrame(ctx, width, h) {
      ctx.fillStyle = '#aab8c1';
      ctx.fillRect(0, 0, width, 8);
      ctx.fillRect(0, h - 8, width, 8);
      ctx.fillRect(0, 0, 8, h);
      ctx.fillRect(width - 3, 0, 3, h);
      ui.roundRect(ctx, width - 26, 72, 9, 52, 4);
      ctx.fillStyle = '#8496a2';
      ctx.fill();
    }

    function paintSign(ctx, w) {
      const on = S.shutter === 'open';
      ui.roundRect(ctx, w / 2 - 98, 14, 196, 36, 5);
      ctx.fillStyle = on ? '#c62f25' : '#f4f6f3';
      ctx.fill();
      ctx.strokeStyle = on ? '#ffd9d2' : '#7d8a94';
      ctx.lineWidth = 2;
      ctx.stroke();
      ui.text(ctx, on ? 'SHUTTER OPEN' : 'SHUTTER CLOSED', w / 2, 33, 16, on ? '#ffffff' : '#16211b', 'center', '700');
    }

    // ---- plot -----------------------------------------------------------------------------

    const BOX = { left: 74, top: 44, right: 18, bottom: 50 };

    function axis() {
      if (!D.counts) return [S.start, S.end];
      return [D.from, D.from + (D.total - 1) * D.step];
    }

    function niceStep(span) {
      const raw = span / 5;
      const power = Math.pow(10, Math.floor(Math.log10(raw)));
      const step = [1, 2, 5, 10].filter(function (k) { return k * power >= raw; })[0] * power;
      return Math.max(1, step);
    }

    function highest() {
      let top = 0;
      for (let i = 0; i < S.scanPoints; i += 1) if (D.counts[i] > top) top = D.counts[i];
      return top;
    }

    function paintPlot(ctx, w, h) {
      const range = axis();
      const top = D.counts && S.scanPoints ? Math.max(10, 1.08 * highest()) : 100;
      const area = { x: BOX.left, y: BOX.top, w: w - BOX.left - BOX.right, h: h - BOX.top - BOX.bottom };
      ctx.fillStyle = '#fbfcfb';
      ctx.fillRect(0, 0, w, h);
      ui.text(ctx, 'DIFFRACTOGRAM', 16, 22, 14, '#22303a', 'left', '700');
      ui.text(ctx, 'Detector ' + countRate() + ' counts/s', w - 18, 22, 14, '#22303a', 'right');
      paintAxes(ctx, area, range, top);
      if (D.counts) paintTrace(ctx, area, range, top);
      else ui.text(ctx, 'No data yet', area.x + area.w / 2, area.y + area.h / 2, 15, '#5b6973', 'center');
    }

    function countRate() {
      if (S.scan !== 'running' || S.scanPoints === 0) return 0;
      return Math.round(D.counts[S.scanPoints - 1] / D.seconds);
    }

    function paintAxes(ctx, area, range, top) {
      const step = niceStep(top);
      const bottom = area.y + area.h;
      ctx.lineWidth = 1;
      for (let v = 0; v <= top; v += step) {
        const y = Math.round(bottom - (v / top) * area.h) + 0.5;
        ctx.strokeStyle = '#e2e7e4';
        line(ctx, area.x, y, area.x + area.w, y);
        ui.text(ctx, String(v), area.x - 8, y, 12, '#33414b', 'right');
      }
      for (let a = Math.ceil(range[0] / 10) * 10; a <= range[1] + 1e-6; a += 10) {
        const x = Math.round(area.x + ((a - range[0]) / (range[1] - range[0])) * area.w) + 0.5;
        ctx.strokeStyle = '#e2e7e4';
        line(ctx, x, area.y, x, bottom);
        ctx.strokeStyle = '#33414b';
        line(ctx, x, bottom, x, bottom + 5);
        ui.text(ctx, String(a), x, bottom + 15, 12, '#33414b', 'center');
      }
      ctx.strokeStyle = '#33414b';
      ctx.strokeRect(area.x + 0.5, area.y + 0.5, area.w - 1, area.h);
      ui.text(ctx, '2-theta (deg)', area.x + area.w / 2, bottom + 36, 13, '#22303a', 'center');
      ctx.save();
      ctx.translate(18, area.y + area.h / 2);
      ctx.rotate(-Math.PI / 2);
      ui.text(ctx, 'Intensity (counts)', 0, 0, 13, '#22303a', 'center');
      ctx.restore();
    }

    // One stroke per pixel column from its lowest to its highest count: no point is lost.
    function paintTrace(ctx, area, range, top) {
      const bottom = area.y + area.h;
      const perPoint = area.w / Math.max(1, D.total - 1);
      let column = -1;
      ctx.beginPath();
      let low = 0;
      let high = 0;
      function flush() {
        if (column < 0) return;
        ctx.lineTo(area.x + column + 0.5, bottom - (low / top) * area.h);
        ctx.lineTo(area.x + column + 0.5, bottom - (high / top) * area.h);
      }
      for (let i = 0; i < S.scanPoints; i += 1) {
        const at = Math.floor(i * perPoint);
        const v = D.counts[i];
        if (at !== column) {
          flush();
          column = at;
          low = high = v;
        }
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
      flush();
      ctx.strokeStyle = '#1f5f9e';
      ctx.lineWidth = 1.2;
      ctx.lineJoin = 'round';
      ctx.stroke();
      if (S.scan === 'running') paintCursor(ctx, area, column);
    }

    function paintCursor(ctx, area, column) {
      ctx.strokeStyle = '#c62f25';
      ctx.lineWidth = 1;
      line(ctx, area.x + Math.max(0, column) + 0.5, area.y, area.x + Math.max(0, column) + 0.5, area.y + area.h);
    }

    // ---- render ---------------------------------------------------------------------------

    // A canvas is painted again only when what it shows has changed.
    const painted = {};

    function paintIf(name, surface, signature, painter) {
      const key = surface.generation + '|' + JSON.stringify(signature);
      if (painted[name] === key) return;
      painted[name] = key;
      surface.paint(painter);
    }

    function render() {
      readouts();
      buttons();
      lamps();
      paintIf('goniometer', goniometer,
        [drawnAngle(), doorGap(), S.shutter, S.tube, S.specimen, S.loaded, run.progress('loading'), run.is('loading')],
        paintGoniometer);
      paintIf('plot', plot,
        [axis(), S.scan, S.scanPoints, D.scans, D.counts !== null, env.H.zeroOffsetDeg, S.specimen, D.step, D.seconds],
        paintPlot);
      paintIf('angles', angles, D.spins.map(function (spin) { return spin.looks(); }), paintAngles);
    }

    function paintAngles(ctx, w) {
      D.spins.forEach(function (spin, row) {
        ui.text(ctx, spin.spec.label + ' (deg)', 0, 9 + row * 62, 12, '#3c4a54', 'left', '700');
        spin.paint(ctx, w);
      });
    }

    return { render: render, plot: plot, angles: angles };
  }

  parts.xrdView = { create: create };
})();
