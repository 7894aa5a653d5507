// Runs before every script of the page. Listens on the window in the capture phase, so it sees an
// input event before the page does, and hands the page's clock and state of that moment back.
(function (binding, read) {
  'use strict';
  const send = window[binding];
  delete window[binding];
  if (window !== window.top || typeof send !== 'function') return;
  const stringify = JSON.stringify;
  const stateful = { pointerdown: 1, mousedown: 1, wheel: 1, keydown: 1, beforeinput: 1, input: 1 };
  const types = ['pointerdown', 'mousedown', 'pointermove', 'mousemove', 'pointerup', 'mouseup',
    'wheel', 'keydown', 'keyup', 'beforeinput', 'input'];

  function message(type) {
    try {
      const page = read();
      if (page === null) return stringify({ type: type });
      if (!(type in stateful)) return stringify({ type: type, virtual_ms: page.virtual_ms });
      return stringify({ type: type, virtual_ms: page.virtual_ms, page: page });
    } catch (error) {
      return '{"type":"' + type + '","broken":true}';
    }
  }
  function listen(type) {
    window.addEventListener(type, function (event) {
      if (event.isTrusted) send(message(type));
    }, { capture: true, passive: true });
  }
  types.forEach(listen);
})
