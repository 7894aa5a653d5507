// The powder diffractometer: its state machine and its controls. Drawing is in view.js.
(function () {
  'use strict';
  const parts = (window.labos = window.labos || { parts: {} }).parts;

  const DOOR_MS = 2000;
  const LOAD_MS = 1500;
  const RAMP_STEP_MS = 400;
  const SETTLE_MS = 800;
  const COOL_MS = 1500;
  const RETURN_MS = 1000;
  const SPEED_UP = 50;
  const BLINK_MS = 600;
  const MIN_RANGE = 10;
  const ANGLE_STEP = 5;
  const LIMITS = { start: [5, 105], end: [10, 110] };
  const STEPS = [0.005, 0.01, 0.02];
  const RATES = [0.2, 0.08, 0.04];

  function build(env) {
    const S = env.S;
    const run = env.transitions;
    const D = { counts: null, total: 0, from: 0, step: 0, seconds: 0, scanMs: 0, scans: 0, stopAngle: 0, blink: {} };
    const specimens = parts.xrdSpecimens;

    function specimen() {
      return specimens.filter(function (s) { return s.code === S.specimen; })[0] || null;
    }

    function expectedPoints() {
      return S.step === null ? null : Math.round((S.end - S.start) / S.step) + 1;
    }

    function scanning() {
      return S.scan === 'running' || S.scan === 'returning';
    }

    // ---- refusals: the interlocks ---------------------------------------------------------

    function no(code, text) {
      return { code: code, text: text };
    }

    function busyScan() {
      return scanning() ? no('R_BUSY', 'A scan is running.') : null;
    }

    function notReady() {
      return S.ready ? null : no('R_NOT_READY', 'The tube is not ready: power it up first.');
    }

    function needsChoice(value, field, text) {
      return value === null ? no('R_MISSING_' + field, text) : null;
    }

    function first(checks) {
      for (let i = 0; i < checks.length; i += 1) {
        const found = checks[i]();
        if (found) return found;
      }
      return null;
    }

    function shut() {
      return S.doors === 'closed' ? null : no('R_DOOR_OPEN', 'Interlock: close the doors first.');
    }

    function hasSpecimen() {
      return needsChoice(S.specimen, 'SPECIMEN', 'Choose a specimen first.');
    }

    function onStage() {
      return S.loaded ? null : no('R_NO_SAMPLE', 'The holder is empty: load the specimen first.');
    }

    function hasStep() {
      return needsChoice(S.step, 'STEP', 'Choose a step size first.');
    }

    function hasRate() {
      return needsChoice(S.rate, 'RATE', 'Choose a scan rate first.');
    }

    // A menu press asks with no value; "--" is not a choice.
    function realChoice(value) {
      return value === null ? no('R_MISSING_CHOICE', 'Choose an entry of the list.') : null;
    }

    // ---- data -----------------------------------------------------------------------------

    function record() {
      const n = expectedPoints();
      const rate = parts.xrdPhysics.pattern(specimen(), env.H.zeroOffsetDeg, S.start, S.step, n);
      const random = env.random('noise', String(D.scans));
      D.counts = new Int32Array(n);
      D.total = n;
      D.from = S.start;
      D.step = S.step;
      D.seconds = S.step / S.rate;
      for (let i = 0; i < n; i += 1) D.counts[i] = random.poisson(rate[i] * D.seconds);
    }

    function clearData() {
      D.counts = null;
      D.total = 0;
      S.scan = 'idle';
      S.scanPoints = 0;
      S.saved = false;
    }

    // Points follow the virtual time of the scan, whoever asks and whenever.
    function sync() {
      S.outdated = S.scan === 'done' && S.scanPoints !== expectedPoints();
      if (S.scan !== 'running' || !run.is('scan')) return;
      S.scanPoints = Math.min(D.total, Math.floor((run.elapsed('scan') / D.scanMs) * D.total));
    }

    // ---- actions --------------------------------------------------------------------------

    function chooseSpecimen(value) {
      if (value === S.specimen) return { outcome: 'ignored', text: 'This specimen is already chosen.' };
      const unloaded = S.loaded;
      S.specimen = value;
      S.loaded = false;
      if (unloaded || D.counts) clearData();
      if (S.doors === 'open') startLoading();
      if (!unloaded) return { text: 'Specimen: ' + specimen().label + '.' };
      return { outcome: 'safe', text: 'Specimen changed: holder empty, data cleared.' };
    }

    function startLoading() {
      run.start('loading', LOAD_MS, { end: function () {
        S.loaded = true;
        env.say('INFO', 'The specimen sits on the stage.');
      } });
    }

    function pressDoors() {
      return S.doors === 'closed' ? openDoors() : closeDoors();
    }

    function openDoors() {
      const live = S.tube === 'on' || S.tube === 'ramping';
      S.doors = 'opening';
      run.start('doors', DOOR_MS, { end: function () {
        S.doors = 'open';
        if (!S.loaded) startLoading();
      } });
      if (!live) return { text: 'The doors open.' };
      coolDown();
      return { outcome: 'safe', text: 'Interlock trip: the tube goes to standby.' };
    }

    function closeDoors() {
      const early = run.is('loading');
      run.stop('loading');
      S.doors = 'closing';
      run.start('doors', DOOR_MS, { end: function () { S.doors = 'closed'; } });
      return { text: early ? 'The doors close before the specimen was loaded.' : 'The doors close.' };
    }

    function pressStandby() {
      if (S.tube === 'standby') return rampUp();
      const ramping = S.tube === 'ramping';
      coolDown();
      return ramping
        ? { outcome: 'safe', text: 'Ramp broken off: the tube goes back to standby.' }
        : { text: 'The tube goes to standby.' };
    }

    // Voltage first, then current, then 800 ms to settle.
    function rampUp() {
      const marks = [];
      let at = 0;
      for (let kV = 20; kV <= 40; kV += 5) marks.push([(at += RAMP_STEP_MS), set('kV', kV)]);
      for (let mA = 10; mA <= 40; mA += 5) marks.push([(at += RAMP_STEP_MS), set('mA', mA)]);
      S.tube = 'ramping';
      run.start('ramp', at + SETTLE_MS, { marks: marks, end: function () {
        S.tube = 'on';
        S.ready = true;
        env.say('INFO', 'The tube is at full power.');
      } });
      return { text: 'The tube ramps up: voltage first, then current.' };
    }

    function set(key, value) {
      return function () { S[key] = value; };
    }

    function coolDown() {
      run.stop('ramp');
      S.tube = 'cooling';
      S.ready = false;
      const kV = S.kV;
      const mA = S.mA;
      const marks = [1, 2, 3, 4].map(function (i) {
        return [(COOL_MS / 5) * i, function () {
          S.kV = Math.round(kV + ((15 - kV) * i) / 5);
          S.mA = Math.round(mA + ((5 - mA) * i) / 5);
        }];
      });
      run.start('cool', COOL_MS, { marks: marks, end: function () {
        S.tube = 'standby';
        S.kV = 15;
        S.mA = 5;
      } });
    }

    function outside(field, delta) {
      const value = S[field] + delta;
      const other = field === 'start' ? S.end - value : value - S.start;
      if (value < LIMITS[field][0] || value > LIMITS[field][1]) {
        return no('R_LIMIT', 'The limits are ' + LIMITS[field].join(' to ') + ' deg.');
      }
      return other < MIN_RANGE ? no('R_LIMIT', 'The range must be at least 10 deg.') : null;
    }

    function angleArrow(field, sign) {
      return {
        refuse: function () {
          return first([busyScan, notReady, function () { return outside(field, sign * ANGLE_STEP); }]);
        },
        act: function () {
          S[field] += sign * ANGLE_STEP;
          return {};
        },
      };
    }

    function setChoice(field, label) {
      return function (value) {
        if (value === S[field]) return { outcome: 'ignored', text: label + ' is already set.' };
        S[field] = value;
        return {};
      };
    }

    function pressStart() {
      return S.scan === 'running' ? abortScan() : startScan();
    }

    function startScan() {
      D.scans += 1;
      record();
      D.scanMs = Math.round(((S.end - S.start) / S.rate / SPEED_UP) * 1000);
      S.scan = 'running';
      S.scanPoints = 0;
      S.saved = false;
      S.shutter = 'open';
      run.start('scan', D.scanMs, { end: function () {
        S.scanPoints = D.total;
        S.shutter = 'closed';
        S.scan = 'returning';
        returnArms(function () {
          S.scan = 'done';
          env.say('INFO', 'The scan is complete.');
        });
      } });
      return { text: 'The shutter is open, the scan runs.' };
    }

    function returnArms(done) {
      D.stopAngle = D.from + S.scanPoints * D.step;
      run.start('armReturn', RETURN_MS, { end: done });
    }

    function abortScan() {
      sync();
      run.stop('scan');
      S.shutter = 'closed';
      S.scan = 'aborted';
      returnArms(function () {});
      return { outcome: 'safe', text: 'Scan aborted: the data are incomplete.' };
    }

    function save() {
      S.saved = true;
      const name = [S.specimen, D.from, D.from + (D.total - 1) * D.step, D.step].join('_') + '.csv';
      env.save('text/csv', name);
      return { text: 'The diffractogram is saved.' };
    }

    // ---- controls -------------------------------------------------------------------------

    function byId(id) {
      return document.getElementById(id);
    }

    function options(values, unit) {
      return values.map(function (v) { return { value: v, label: v + ' ' + unit }; });
    }

    function addSelect(id, label, field, list, checks, act) {
      env.registry.add({
        id: id, label: label, kind: 'select', el: byId(id.replace('.', '-')), options: list,
        get: function () { return S[field]; },
        goal: function (G) { return G[field]; },
        refuse: function (value) {
          return first(checks.concat([function () { return value === undefined ? null : realChoice(value); }]));
        },
        act: act,
      });
    }

    function addButton(id, label, spec) {
      env.registry.add(Object.assign({ id: id, label: label, kind: 'button', el: byId(id.replace('.', '-')) }, spec));
    }

    function doorsMoving() {
      const moving = S.doors === 'opening' || S.doors === 'closing';
      return moving ? { ignored: true, code: 'R_BUSY', text: 'The doors are moving.' } : null;
    }

    function tubeCooling() {
      return S.tube === 'cooling' ? { ignored: true, code: 'R_BUSY', text: 'The tube is powering down.' } : null;
    }

    function armsReturning() {
      return run.is('armReturn') ? { ignored: true, code: 'R_BUSY', text: 'The arms return.' } : null;
    }

    function refuseStandby() {
      if (S.tube === 'ramping' || S.tube === 'on') return busyScan();
      return first([tubeCooling, shut, hasSpecimen, onStage]);
    }

    function refuseStart() {
      if (S.scan === 'running') return null;
      return first([armsReturning, hasSpecimen, onStage, shut, notReady, hasStep, hasRate]);
    }

    function refuseSave() {
      if (S.scan === 'done') return S.saved ? { ignored: true, code: 'R_BUSY', text: 'Already saved.' } : null;
      if (S.scan === 'aborted') return no('R_NO_DATA', 'The scan is not complete: run it to the end.');
      return busyScan() || no('R_NO_DATA', 'There is no diffractogram yet.');
    }

    const doorWords = { closed: 'OPEN DOORS', open: 'CLOSE DOORS', opening: 'OPENING', closing: 'CLOSING' };

    function addControls() {
      const list = specimens.map(function (s) { return { value: s.code, label: s.label }; });
      addSelect('xrd.specimen', 'SPECIMEN', 'specimen', list, [busyScan], chooseSpecimen);
      addButton('xrd.doors', 'DOORS', {
        get: function () { return S.doors; },
        text: function () { return doorWords[S.doors]; },
        refuse: function () { return first([busyScan, hasSpecimen, doorsMoving]); },
        act: pressDoors,
      });
      addButton('xrd.standby', 'STANDBY / ON', {
        kind: 'toggle',
        get: function () { return S.tube; },
        text: function () { return S.tube === 'standby' || S.tube === 'cooling' ? 'STANDBY' : 'ON'; },
        refuse: refuseStandby,
        act: pressStandby,
      });
      D.spins = ['start', 'end'].map(addSpin);
      addSelect('xrd.step', 'STEP SIZE', 'step', options(STEPS, 'deg'), [busyScan, notReady],
        setChoice('step', 'Step size'));
      addSelect('xrd.rate', 'SCAN RATE', 'rate', options(RATES, 'deg/sec'), [busyScan, notReady, hasStep],
        setChoice('rate', 'Scan rate'));
      addButton('xrd.startScan', 'START SCAN', {
        get: function () { return S.scan; },
        text: function () { return scanning() ? 'SCANNING' : 'START SCAN'; },
        refuse: refuseStart,
        act: pressStart,
      });
      addButton('xrd.save', 'SAVE DIFFRACTOGRAM', {
        get: function () { return S.saved; },
        text: function () { return 'SAVE DIFFRACTOGRAM'; },
        refuse: refuseSave,
        act: save,
      });
    }

    function addSpin(field, row) {
      const spin = parts.canvasui.createSpin({
        id: 'xrd.' + field,
        label: field.toUpperCase() + ' ANGLE',
        surface: view.angles,
        at: [0, 18 + row * 62, view.angles.box[2]],
        get: function () { return S[field]; },
        text: function () { return S[field].toFixed(1); },
        up: angleArrow(field, 1),
        down: angleArrow(field, -1),
        blinking: function (id) { return env.clock.now() < (D.blink[id] || 0); },
      });
      env.registry.add(spin.up);
      env.registry.add(spin.down);
      [spin.up, spin.down].forEach(blinkOnRefusal);
      return spin;
    }

    // Only a real press (act is asked through the registry) may blink, not the look of the page.
    function blinkOnRefusal(control) {
      control.refused = function () { D.blink[control.id] = env.clock.now() + BLINK_MS; };
    }

    // After reset and fast-forward: everything that is not state is built up again from it.
    function restore() {
      Object.assign(D, { counts: null, total: 0, scans: 0, scanMs: 0, blink: {} });
      if (S.scan !== 'done') return;
      D.scans = 1;
      record();
    }

    const model = {
      D: D, specimen: specimen, scanning: scanning,
    };
    const view = parts.xrdView.create(env, model);
    addControls();

    return {
      sync: sync,
      restore: restore,
      render: function () { view.render(); },
      pictures: function () { return [{ name: 'diffractogram.png', canvas: view.plot.canvas }]; },
      debug: function () {
        return {
          counts: D.counts ? Array.from(D.counts) : null, from: D.from, step: D.step,
          scans: D.scans, secondsPerStep: D.seconds,
        };
      },
    };
  }

  parts.xrd = { build: build, STEPS: STEPS, RATES: RATES, LIMITS: LIMITS, MIN_RANGE: MIN_RANGE };
})();
