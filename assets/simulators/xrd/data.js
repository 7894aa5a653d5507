// Facts of the specimens: lattice spacings d (angstrom) with relative peak intensities, calculated
// from published cell constants (kinematic |F|^2 x multiplicity x Lorentz-polarisation, Cu K-alpha).
// ipk = counts per second of the strongest line; halo = [centre, width (FWHM) in deg, counts/s].
(function () {
  'use strict';
  const parts = (window.labos = window.labos || { parts: {} }).parts;

  parts.xrdSpecimens = [
    {
      code: 'silicon', label: 'Silicon powder', tint: '#6c7680',
      ipk: 3000, eta: 0.55,
      lines: [
        [3.13569, 100.0, '111'], [1.92021, 65.1, '220'], [1.63756, 38.0, '311'],
        [1.3578, 9.8, '400'], [1.246, 14.6, '331'], [1.10863, 20.1, '422'],
        [1.04523, 11.5, '511'], [0.96011, 7.5, '440'],
      ],
    },
    {
      code: 'lab6', label: 'LaB6 line standard', tint: '#7b3fa0',
      ipk: 4000, eta: 0.55,
      lines: [
        [4.15683, 62.5, '100'], [2.93932, 100.0, '110'], [2.39994, 42.1, '111'],
        [2.07841, 21.2, '200'], [1.85899, 47.5, '210'], [1.69702, 25.1, '211'],
        [1.46966, 9.2, '220'], [1.38561, 26.1, '300'], [1.3145, 18.5, '310'],
        [1.25333, 11.6, '311'], [1.19997, 2.1, '222'], [1.1529, 7.6, '320'],
        [1.11096, 15.9, '321'], [1.03921, 2.7, '400'], [1.00818, 13.8, '410'],
        [0.97977, 11.7, '411'], [0.95364, 5.1, '331'],
      ],
    },
    {
      code: 'corundum', label: 'Corundum', tint: '#e9e6df',
      ipk: 1800, eta: 0.55,
      lines: [
        [3.48012, 63.9, '102'], [2.55103, 97.6, '104'], [2.37955, 44.8, '2-10'],
        [2.08546, 100.0, '2-13'], [1.96428, 1.5, '202'], [1.74006, 50.5, '204'],
        [1.6015, 99.9, '2-16'], [1.5467, 2.5, '3-11'], [1.51483, 3.4, '3-12'],
        [1.51092, 7.6, '108'], [1.40458, 40.1, '3-14'], [1.37383, 60.8, '300'],
        [1.33607, 1.3, '3-15'], [1.27551, 1.6, '208'], [1.23908, 17.9, '1,0,10'],
        [1.23419, 9.1, '2-19'], [1.19319, 0.7, '3-17'], [1.18978, 7.1, '4-20'],
        [1.16004, 0.9, '306'], [1.14726, 5.5, '4-23'], [1.1258, 4.2, '4-12'],
        [1.12419, 3.1, '3-18'], [1.09901, 8.5, '2,0,10'], [1.08265, 2.0, '0,0,12'],
        [1.07827, 10.2, '4-14'], [1.04273, 20.1, '4-26'], [1.01765, 2.6, '402'],
        [0.99773, 15.4, '3,-1,10'], [0.98214, 2.8, '404'], [0.94304, 0.6, '5-21'],
        [0.93475, 4.8, '4-18'],
      ],
    },
    {
      code: 'quartz', label: 'Quartz sand', tint: '#d9c9a8',
      ipk: 3200, eta: 0.55,
      lines: [
        [4.25513, 20.0, '100'], [3.34342, 100.0, '101'], [2.4567, 7.1, '2-10'],
        [2.28134, 7.2, '102'], [2.23653, 3.2, '2-11'], [2.12756, 5.3, '200'],
        [1.97972, 3.0, '201'], [1.81788, 12.4, '2-12'], [1.67171, 3.7, '202'],
        [1.65913, 1.6, '103'], [1.5415, 9.1, '3-11'], [1.45288, 1.7, '2-13'],
        [1.38208, 5.6, '3-12'], [1.37494, 6.7, '203'], [1.37193, 4.2, '301'],
        [1.28792, 2.2, '104'], [1.25592, 2.8, '302'], [1.22835, 1.5, '4-20'],
        [1.19982, 2.9, '3-13'], [1.19781, 0.8, '4-21'], [1.18401, 2.4, '2-14'],
        [1.18016, 2.7, '4-10'], [1.153, 1.8, '4-11'], [1.08154, 2.9, '4-12'],
        [1.06378, 0.6, '400'], [1.04776, 1.5, '105'], [1.04376, 1.1, '401'],
        [1.03459, 1.7, '3-14'], [1.01492, 1.5, '4-23'], [0.98948, 1.0, '2-15'],
        [0.98723, 0.7, '4-13'], [0.97619, 0.8, '5-20'], [0.96065, 1.8, '5-21'],
      ],
    },
    {
      code: 'halite', label: 'Halite NaCl', tint: '#f3f3f0',
      ipk: 3600, eta: 0.55,
      lines: [
        [3.25637, 9.5, '111'], [2.8201, 100.0, '200'], [1.99411, 60.1, '220'],
        [1.70058, 2.2, '311'], [1.62819, 17.8, '222'], [1.41005, 7.2, '400'],
        [1.29395, 1.0, '331'], [1.26119, 17.7, '420'], [1.1513, 12.1, '422'],
        [1.08546, 1.0, '511'], [0.99706, 3.7, '440'], [0.95337, 1.4, '531'],
        [0.94003, 8.3, '600'],
      ],
    },
    {
      code: 'calcite', label: 'Calcite', tint: '#efe6d2',
      ipk: 2500, eta: 0.55,
      lines: [
        [3.85478, 7.7, '102'], [3.03555, 100.0, '104'], [2.8435, 2.3, '006'],
        [2.4948, 14.3, '2-10'], [2.28463, 19.0, '2-13'], [2.09443, 15.0, '202'],
        [1.92739, 6.7, '204'], [1.9124, 20.0, '108'], [1.87532, 21.1, '2-16'],
        [1.6258, 3.4, '3-11'], [1.60409, 10.2, '3-12'], [1.58689, 1.1, '1,0,10'],
        [1.52524, 6.0, '3-14'], [1.51777, 2.8, '208'], [1.50937, 2.8, '2-19'],
        [1.47317, 2.1, '3-15'], [1.44037, 6.9, '300'], [1.42175, 3.9, '0,0,12'],
        [1.35677, 1.4, '3-17'], [1.33897, 2.5, '2,0,10'], [1.29666, 3.2, '3-18'],
        [1.28493, 0.7, '306'], [1.2474, 1.3, '4-20'], [1.23525, 2.4, '2,-1,12'],
        [1.18681, 0.7, '4-12'], [1.17979, 2.8, '3,-1,10'], [1.15378, 5.1, '4-14'],
        [1.14232, 2.6, '4-26'], [1.12467, 0.5, '3,-1,11'], [1.06144, 1.0, '2,0,14'],
        [1.04721, 3.3, '404'], [1.04479, 3.7, '4-18'], [1.03526, 1.7, '1,0,16'],
        [1.01185, 3.7, '3,0,12'], [0.98471, 1.8, '5-22'], [0.97671, 1.6, '3,-1,14'],
        [0.9656, 1.4, '5-24'], [0.96369, 2.7, '408'], [0.9562, 0.7, '2,0,16'],
        [0.94295, 2.8, '5-10'], [0.93766, 1.4, '4,-2,12'],
      ],
    },
    {
      code: 'fluorite', label: 'Fluorite', tint: '#9cc6a8',
      ipk: 3000, eta: 0.55,
      lines: [
        [3.15412, 89.2, '111'], [1.9315, 100.0, '220'], [1.64719, 31.2, '311'],
        [1.36578, 11.5, '400'], [1.25332, 10.5, '331'], [1.22159, 0.8, '420'],
        [1.11515, 19.8, '422'], [1.05137, 7.9, '511'], [0.96575, 6.8, '440'],
      ],
    },
    {
      code: 'aluminium', label: 'Aluminium sheet', tint: '#b9c3cc',
      ipk: 4500, eta: 0.55, texture: { '111': 0.7, '200': 2.2 },
      lines: [
        [2.33792, 100.0, '111'], [2.0247, 47.2, '200'], [1.43168, 27.3, '220'],
        [1.22094, 29.4, '311'], [1.16896, 8.3, '222'], [1.01235, 3.9, '400'],
      ],
    },
    {
      code: 'copper', label: 'Copper sheet', tint: '#b8693f',
      ipk: 2600, eta: 0.55, texture: { '111': 0.7, '200': 2.2 },
      lines: [
        [2.08706, 100.0, '111'], [1.80745, 45.2, '200'], [1.27806, 22.5, '220'],
        [1.08993, 24.1, '311'], [1.04353, 7.0, '222'],
      ],
    },
    {
      code: 'tic', label: 'TiC powder', tint: '#4a4d55',
      ipk: 2300, eta: 0.55,
      lines: [
        [2.49877, 88.9, '111'], [2.164, 100.0, '200'], [1.53018, 55.2, '220'],
        [1.30494, 29.2, '311'], [1.24939, 16.6, '222'], [1.082, 7.7, '400'],
        [0.99291, 12.8, '331'], [0.96777, 25.2, '420'],
      ],
    },
    {
      code: 'bn', label: 'Boron nitride', tint: '#f2f0ea',
      ipk: 2600, eta: 0.55,
      lines: [
        [3.3306, 100.0, '002'], [2.16853, 15.3, '100'], [2.06201, 5.0, '101'],
        [1.81728, 14.4, '102'], [1.6653, 6.5, '004'], [1.5514, 1.1, '103'], [1.32078, 3.5, '104'],
        [1.252, 5.5, '2-10'], [1.17193, 8.5, '2-12'], [1.1102, 1.2, '006'], [1.08426, 0.8, '200'],
        [1.03101, 1.4, '202'], [1.00073, 5.3, '2-14'], [0.98822, 1.3, '106'],
      ],
    },
    {
      code: 'hopg', label: 'Graphite HOPG', tint: '#3b3f44',
      ipk: 20000, eta: 0.7, broaden: 1.6,
      angles: [[26.54, 100, '002'], [54.66, 6, '004'], [87.05, 1, '006']],
    },
    {
      code: 'glass', label: 'Soda-lime glass', tint: '#a9d3cf',
      ipk: 0, eta: 0.55, halo: [23, 9, 180],
    },
    {
      code: 'pe', label: 'Polyethylene', tint: '#e4e9ef',
      ipk: 1400, eta: 0.55, fwhm: 0.45, halo: [19.8, 7, 250],
      angles: [[21.5, 100, '110'], [23.9, 35, '200'], [36.2, 6, '020']],
    },
  ];

  // Cu K-alpha1 and K-alpha2 (angstrom) and their weights; Caglioti constants in deg^2.
  const WAVES = [[1.5405929, 1], [1.5444274, 0.5]];
  const U = 0.0063;
  const V = -0.0036;
  const W = 0.0065;
  const REFERENCE_ANGLE = 28.4;
  const RAD = Math.PI / 180;

  function fwhm(twoTheta) {
    const t = Math.tan((twoTheta / 2) * RAD);
    return Math.sqrt(U * t * t + V * t + W);
  }

  function bragg(wave, d) {
    const s = wave / (2 * d);
    return s < 1 ? (2 * Math.asin(s)) / RAD : null;
  }

  // Peaks as [2-theta, height in counts/s, FWHM], both K-alpha components, zero offset applied.
  function peaksOf(specimen, zeroOffset) {
    const lines = specimen.lines || (specimen.angles || []).map(function (a) {
      return [WAVES[0][0] / (2 * Math.sin((a[0] / 2) * RAD)), a[1], a[2]];
    });
    const peaks = [];
    lines.forEach(function (line) {
      const texture = (specimen.texture && specimen.texture[line[2]]) || 1;
      WAVES.forEach(function (wave) {
        const at = bragg(wave[0], line[0]);
        if (at === null) return;
        const width = specimen.fwhm || fwhm(at) * (specimen.broaden || 1);
        const scale = specimen.fwhm ? 1 : fwhm(REFERENCE_ANGLE) / fwhm(at);
        peaks.push([at + zeroOffset, (specimen.ipk * line[1] * texture * wave[1] * scale) / 100, width]);
      });
    });
    return peaks;
  }

  function pseudoVoigt(x, eta) {
    return eta / (1 + 4 * x * x) + (1 - eta) * Math.exp(-4 * Math.LN2 * x * x);
  }

  function background(specimen, angle) {
    const base = 18 + 260 * Math.exp(-angle / 9);
    if (!specimen.halo) return base;
    const x = (angle - specimen.halo[0]) / specimen.halo[1];
    return base + specimen.halo[2] * Math.exp(-4 * Math.LN2 * x * x);
  }

  // Mean counts per second at start, start + step, ... (n points).
  function pattern(specimen, zeroOffset, start, step, n) {
    const rate = new Float64Array(n);
    for (let i = 0; i < n; i += 1) rate[i] = background(specimen, start + i * step);
    peaksOf(specimen, zeroOffset).forEach(function (peak) {
      const reach = Math.max(3, 40 * peak[2]);
      const from = Math.max(0, Math.ceil((peak[0] - reach - start) / step));
      const to = Math.min(n - 1, Math.floor((peak[0] + reach - start) / step));
      for (let i = from; i <= to; i += 1) {
        rate[i] += peak[1] * pseudoVoigt((start + i * step - peak[0]) / peak[2], specimen.eta);
      }
    });
    return rate;
  }

  parts.xrdPhysics = { pattern: pattern };
})();
