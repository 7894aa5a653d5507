// Seeded random numbers: cyrb128 turns a text into four words, sfc32 runs on them.
(function () {
  'use strict';
  const parts = (window.labos = window.labos || { parts: {} }).parts;

  function cyrb128(text) {
    let a = 1779033703;
    let b = 3144134277;
    let c = 1013904242;
    let d = 2773480762;
    for (let i = 0; i < text.length; i += 1) {
      const k = text.charCodeAt(i);
      a = b ^ Math.imul(a ^ k, 597399067);
      b = c ^ Math.imul(b ^ k, 2869860233);
      c = d ^ Math.imul(c ^ k, 951274213);
      d = a ^ Math.imul(d ^ k, 2716044179);
    }
    a = Math.imul(c ^ (a >>> 18), 597399067);
    b = Math.imul(d ^ (b >>> 22), 2869860233);
    c = Math.imul(a ^ (c >>> 17), 951274213);
    d = Math.imul(b ^ (d >>> 19), 2716044179);
    a ^= b ^ c ^ d;
    return [a >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0];
  }

  function sfc32(words) {
    let a = words[0] | 0;
    let b = words[1] | 0;
    let c = words[2] | 0;
    let d = words[3] | 0;
    return function () {
      const sum = (((a + b) | 0) + d) | 0;
      d = (d + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (c << 21) | (c >>> 11);
      c = (c + sum) | 0;
      return (sum >>> 0) / 4294967296;
    };
  }

  function createRandom(key) {
    const u = sfc32(cyrb128(key));
    for (let i = 0; i < 12; i += 1) u();

    function gauss() {
      const r = Math.sqrt(-2 * Math.log(1 - u()));
      return r * Math.cos(2 * Math.PI * u());
    }

    function knuth(mean) {
      const limit = Math.exp(-mean);
      let k = 0;
      let p = u();
      while (p > limit) {
        k += 1;
        p *= u();
      }
      return k;
    }

    return {
      u: u,
      int: function (a, b) { return a + Math.floor(u() * (b - a + 1)); },
      pick: function (list) { return list[Math.floor(u() * list.length)]; },
      range: function (a, b) { return a + (b - a) * u(); },
      gauss: gauss,
      poisson: function (mean) {
        if (mean <= 0) return 0;
        if (mean < 30) return knuth(mean);
        return Math.max(0, Math.floor(mean + Math.sqrt(mean) * gauss() + 0.5));
      },
    };
  }

  function hash(text) {
    return cyrb128(text).slice(0, 2).map(function (word) {
      return ('0000000' + word.toString(16)).slice(-8);
    }).join('');
  }

  parts.prng = {
    hash: hash,
    forSeed: function (instrument, seed) {
      return function (stream, extra) {
        const tail = extra === undefined ? '' : ':' + extra;
        return createRandom(instrument + ':' + seed + ':' + stream + tail);
      };
    },
  };
})();
