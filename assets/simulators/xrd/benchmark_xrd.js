// The eight subtasks of the diffractometer as predicates on its state, and its goals.
(function () {
  'use strict';
  const parts = window.labos.parts;
  const xrd = parts.xrd;

  const predicates = {
    S1: function (S, G) { return S.specimen === G.specimen; },
    S2: function (S) { return S.loaded && S.doors === 'closed'; },
    S3: function (S) { return S.ready && S.kV >= 39.5 && S.mA >= 39.5; },
    S4: function (S, G) { return S.start === G.start && S.end === G.end; },
    S5: function (S, G) { return S.step === G.step; },
    S6: function (S, G) { return S.rate === G.rate; },
    S7: function (S) {
      return S.scan === 'done' && S.shutter === 'closed' && S.scanPoints === points(S);
    },
    S8: function (S) { return S.saved === true; },
  };

  function points(S) {
    return Math.round((S.end - S.start) / S.step) + 1;
  }

  // Neither angle of a drawn goal is the value the instrument starts with.
  function drawGoal(random) {
    return {
      specimen: random.pick(parts.xrdSpecimens).code,
      start: random.pick([10, 15, 20, 25]),
      end: random.pick([70, 85, 90, 95, 100]),
      step: random.pick(xrd.STEPS),
      rate: random.pick(xrd.RATES),
    };
  }

  function onGrid(value, limits) {
    return value >= limits[0] && value <= limits[1] && value % 5 === 0;
  }

  const legal = {
    specimen: function (v) { return parts.xrdSpecimens.some(function (s) { return s.code === v; }); },
    start: function (v) { return onGrid(v, xrd.LIMITS.start); },
    end: function (v) { return onGrid(v, xrd.LIMITS.end); },
    step: function (v) { return xrd.STEPS.indexOf(v) >= 0; },
    rate: function (v) { return xrd.RATES.indexOf(v) >= 0; },
  };

  parts.bench.install({
    welcome: 'The diffractometer is ready.',
    predicates: predicates,
    build: xrd.build,
    drawGoal: drawGoal,
    drawHidden: function (random) {
      return { zeroOffsetDeg: Math.round(random.range(-0.03, 0.03) * 1000) / 1000 };
    },
    legalGoal: function (key, value) { return key in legal && legal[key](value); },
    completeGoal: function (goal) {
      const chosen = parts.xrdSpecimens.filter(function (s) { return s.code === goal.specimen; })[0];
      goal.specimen_label = chosen.label;
      return goal;
    },
    // What follows from the goal but is not written in the task file.
    adapt: function (S) {
      if (S.scan === 'done') S.scanPoints = points(S);
    },
  });
})();
