// A small instrument with a virtual clock and the public names of the simulators: for session tests.
(function () {
  'use strict';
  const query = new URLSearchParams(location.search);
  const stepped = query.get('clock') === 'stepped';
  const animated = query.get('animate') === '1';
  const $ = function (id) { return document.getElementById(id); };

  let now = 0;
  let carry = 0;
  let timers = [];
  let speed = Number(query.get('speed') || 1);
  const S = { count: 0, held: 0, doubles: 0, text: '', keys: [], wheel: 0, drag: [], ramp: 0 };
  const latched = { S1: false, S2: false };

  function after(ms, fn) {
    const timer = { time: now + ms, fn: fn };
    timers.push(timer);
    timers.sort(function (a, b) { return a.time - b.time; });
    return timer;
  }
  function cancel(timer) { timers = timers.filter(function (other) { return other !== timer; }); }
  function advance(ms) {
    const target = now + Math.round(ms);
    while (timers.length && timers[0].time <= target) {
      const timer = timers.shift();
      now = timer.time;
      timer.fn();
    }
    now = target;
    draw();
  }
  function done() { return { S1: S.count >= 2, S2: S.held >= 5 }; }
  function judge() {
    const out = {};
    Object.entries(done()).forEach(function (pair) {
      latched[pair[0]] = latched[pair[0]] || pair[1];
      out[pair[0]] = { now: pair[1], latched: latched[pair[0]] };
    });
    return out;
  }

  const picture = $('picture').getContext('2d');
  const slider = $('slider').getContext('2d');
  function draw() {
    $('readout').textContent = JSON.stringify(S.count) + ' ' + S.held + ' ' + S.doubles + ' ' +
      S.ramp + ' ' + S.text + ' ' + S.wheel;
    const phase = animated ? now % 5000 : 0;
    for (let i = 0; i < 20; i += 1) {
      picture.fillStyle = 'hsl(' + ((phase / 10 + i * 18) % 360) + ',70%,50%)';
      picture.fillRect(0, i * 32, 640, 32);
    }
    slider.fillStyle = '#eee';
    slider.fillRect(0, 0, 400, 400);
    slider.fillStyle = '#000';
    S.drag.forEach(function (point) { slider.fillRect(point[0] - 22, point[1] - 142, 4, 4); });
  }

  $('counter').addEventListener('click', function () {
    S.count += 1;
    S.clickedAt = now;
    after(1000, function () { S.ramp += 1; });
    draw();
  });
  let repeat = null;
  $('pad').addEventListener('pointerdown', function () {
    S.held += 1;
    function again() { S.held += 1; repeat = after(120, again); draw(); }
    repeat = after(400, again);
    draw();
  });
  window.addEventListener('pointerup', function () { cancel(repeat); });
  $('double').addEventListener('dblclick', function () { S.doubles += 1; draw(); });
  $('entry').addEventListener('input', function (event) { S.text = event.target.value; draw(); });
  window.addEventListener('keydown', function (event) {
    S.keys.push([event.key, event.repeat, event.ctrlKey, event.shiftKey, now]);
  });
  let dragging = false;
  $('slider').addEventListener('pointerdown', function (event) {
    dragging = true;
    $('slider').setPointerCapture(event.pointerId);
  });
  $('slider').addEventListener('pointermove', function (event) {
    if (!dragging) return;
    S.drag.push([event.clientX, event.clientY, now]);
    draw();
  });
  $('slider').addEventListener('pointerup', function () { dragging = false; });
  $('scroller').addEventListener('wheel', function (event) { S.wheel += event.deltaY; draw(); });
  $('save').addEventListener('click', function () {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob(['angle,counts\n1,2\n'], { type: 'text/csv' }));
    link.download = query.get('name') || 'scan.csv';
    link.click();
  });
  $('ask').addEventListener('click', function () { S.answer = window.confirm('Really?'); draw(); });
  $('popup').addEventListener('click', function () { window.open('index.html?popup=1'); });
  $('outside').addEventListener('click', function () {
    S.fetched = 'pending';
    fetch('http://example.com/leak?x=1', { mode: 'no-cors' })
      .then(function () { S.fetched = 'reached'; }, function () { S.fetched = 'refused'; });
    const image = new Image();
    image.src = 'http://127.0.0.1:9/leak.png';
  });
  $('reload').addEventListener('click', function () { location.reload(); });

  draw();
  if (!stepped) {
    let last = null;
    const frame = function (stamp) {
      carry += last === null ? 0 : Math.min(stamp - last, 100) * speed;
      last = stamp;
      const whole = Math.floor(carry);
      carry -= whole;
      if (whole > 0) advance(whole);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  window.labos = {
    instrument: 'BENCH',
    getState: function () {
      return { S: JSON.parse(JSON.stringify(S)), virtualMs: now, running: [], current: 'S1', fault: null };
    },
    judge: judge,
    advance: advance,
    settle: function (max) {
      const from = now;
      while (timers.length && timers[0].time - from <= (max || 120000)) advance(timers[0].time - now);
      return now - from;
    },
    setSpeed: function (x) { speed = x; },
    fastForward: function (id) {
      if (id !== 'S2') throw new Error('no such subtask: ' + id);
      S.count = 2;
      latched.S1 = true;
      draw();
    },
    controls: function () {
      return [{ id: 'bench.count', label: 'COUNT', kind: 'button', dom: true, bbox: [20, 20, 120, 40], enabled: true }];
    },
    noteAgentStep: function (step) { S.agentStep = step.index; },
    exportEpisode: function () {
      return {
        episode_id: 'bench_ep_0', final: JSON.parse(JSON.stringify(S)),
        timestamps: { start_time: new Date().toISOString(), duration_sec: performance.now() / 1000, virtual_ms: now },
      };
    },
  };
})();
