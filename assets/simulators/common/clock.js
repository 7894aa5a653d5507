// Virtual time. Everything an instrument does hangs on this clock; wall time is read here and
// nowhere else, so that the same actions at the same virtual times always give the same run.
(function () {
  'use strict';
  const parts = (window.labos = window.labos || { parts: {} }).parts;

  const MAX_FRAME_MS = 100;

  // Time is kept in whole milliseconds: sums of whole numbers are exact, so "advance to the
  // recorded time" lands on the very millisecond, however the time before it was cut up.
  function createClock() {
    let now = 0;
    let order = 0;
    let queue = [];
    let carry = 0;
    let speed = 1;
    let advancing = false;

    function insert(entry) {
      let i = queue.length;
      while (i > 0 && (queue[i - 1].time > entry.time)) i -= 1;
      queue.splice(i, 0, entry);
      return entry;
    }

    function at(time, fn) {
      order += 1;
      return insert({ time: Math.max(now, Math.round(time)), order: order, fn: fn });
    }

    function after(ms, fn) {
      return at(now + ms, fn);
    }

    function cancel(entry) {
      if (!entry) return;
      entry.cancelled = true;
      queue = queue.filter(function (other) { return other !== (entry.current || entry); });
    }

    function every(ms, fn) {
      const handle = {};
      const period = Math.max(1, Math.round(ms));
      function tick() {
        handle.current = after(period, tick);
        fn();
        if (handle.cancelled) cancel(handle);
      }
      handle.current = after(period, tick);
      return handle;
    }

    // Ticks lie on fixed 50 ms marks from the start, not on animation frames.
    function tween(spec) {
      const start = now;
      const ms = Math.max(1, Math.round(spec.ms));
      const handle = {};
      function tick() {
        const part = Math.min(1, (now - start) / ms);
        spec.set(spec.from + (spec.to - spec.from) * part);
        if (part < 1) handle.current = at(Math.min(now + 50, start + ms), tick);
        else if (spec.done) spec.done();
      }
      tick();
      return handle;
    }

    function advance(ms) {
      if (advancing) throw new Error('advance() called from a timer');
      if (!(ms >= 0)) throw new Error('advance() takes a time of 0 ms or more');
      const target = now + Math.round(ms);
      advancing = true;
      try {
        while (queue.length && queue[0].time <= target) {
          const entry = queue.shift();
          now = entry.time;
          entry.fn();
        }
        now = target;
      } finally {
        advancing = false;
      }
    }

    return {
      now: function () { return now; },
      next: function () { return queue.length ? queue[0].time : null; },
      after: after,
      every: every,
      tween: tween,
      cancel: cancel,
      advance: advance,
      speed: function () { return speed; },
      setSpeed: function (x) { speed = Math.min(1000, Math.max(0, Number(x) || 0)); },
      reset: function () { now = 0; order = 0; carry = 0; queue = []; },
      // Drop all timers but keep the time: a record that goes on must never step back.
      clear: function () { queue = []; },
      // One animation frame of dt wall milliseconds.
      frame: function (dt) {
        carry += Math.min(Math.max(dt, 0), MAX_FRAME_MS) * speed;
        const whole = Math.floor(carry);
        carry -= whole;
        if (whole > 0) advance(whole);
      },
    };
  }

  // Wall time: only for the time stamps of the export and the pace of the real clock.
  const wall = {
    iso: function () { return new Date().toISOString(); },
    ms: function () { return performance.now(); },
  };

  function runFrames(onFrame) {
    let last = null;
    function frame(stamp) {
      const dt = last === null ? 0 : stamp - last;
      last = stamp;
      onFrame(dt);
      requestAnimationFrame(frame);
    }
    requestAnimationFrame(frame);
  }

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

  parts.clock = {
    createClock: createClock,
    createTransitions: createTransitions,
    wall: wall,
    runFrames: runFrames,
  };
})();
