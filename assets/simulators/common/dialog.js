// What lies over the page: our own list box for the menus, and the alert for faults.
(function () {
  'use strict';
  const parts = (window.labos = window.labos || { parts: {} }).parts;

  const ROW = 26;
  const EDGE = 1;

  function createPopups(stage) {
    const layer = document.createElement('div');
    layer.className = 'popups';
    stage.root.appendChild(layer);
    let list = null;      // {control, el, entries, active}
    let dialog = null;    // {el, button, onAgain}

    // ---- list box ---------------------------------------------------------------------

    function entriesOf(control) {
      return [{ value: '', label: '--' }].concat(control.options.map(function (option) {
        return { value: String(option.value), label: option.label };
      }));
    }

    // Where the list of a menu is drawn; below the menu, above it where the stage would end.
    function placeOf(control) {
      const box = stage.boxOf(control.el);
      const h = entriesOf(control).length * ROW + 2 * EDGE;
      const below = box[1] + box[3] + 1;
      const y = below + h <= 796 ? below : Math.max(4, box[1] - h - 1);
      return [box[0], y, box[2], h];
    }

    function optionBoxes(control) {
      const place = placeOf(control);
      return entriesOf(control).map(function (entry, i) {
        return {
          label: entry.label,
          bbox: [place[0] + EDGE, place[1] + EDGE + i * ROW, place[2] - 2 * EDGE, ROW],
        };
      });
    }

    function openList(control) {
      closeList();
      const place = placeOf(control);
      const el = document.createElement('ul');
      el.className = 'listbox';
      el.id = 'labos-list';
      el.setAttribute('role', 'listbox');
      el.setAttribute('aria-label', control.label);
      el.style.left = place[0] + 'px';
      el.style.top = place[1] + 'px';
      el.style.width = place[2] + 'px';
      el.style.height = place[3] + 'px';
      list = { control: control, el: el, entries: entriesOf(control), active: 0 };
      list.entries.forEach(function (entry, i) { el.appendChild(row(entry, i)); });
      layer.appendChild(el);
      const current = control.get();
      control.el.setAttribute('aria-expanded', 'true');
      setActive(list.entries.findIndex(function (entry) {
        return entry.value === (current === null ? '' : String(current));
      }));
    }

    function row(entry, i) {
      const li = document.createElement('li');
      li.id = 'labos-option-' + i;
      li.setAttribute('role', 'option');
      li.textContent = entry.label;
      return li;
    }

    function setActive(index) {
      list.active = Math.min(list.entries.length - 1, Math.max(0, index));
      Array.prototype.forEach.call(list.el.children, function (li, i) {
        li.setAttribute('aria-selected', i === list.active ? 'true' : 'false');
      });
      list.control.el.setAttribute('aria-activedescendant', 'labos-option-' + list.active);
    }

    function closeList() {
      if (!list) return;
      list.el.remove();
      list.control.el.setAttribute('aria-expanded', 'false');
      list.control.el.removeAttribute('aria-activedescendant');
      list = null;
    }

    function indexOf(node) {
      const li = node && node.closest ? node.closest('.listbox li') : null;
      return li && list ? Array.prototype.indexOf.call(list.el.children, li) : -1;
    }

    function optionAt(node) {
      const index = indexOf(node);
      if (index < 0) return null;
      return { kind: 'option', index: index, entry: list.entries[index], control: list.control };
    }

    const MOVES = {
      ArrowDown: function (i) { return i + 1; },
      ArrowUp: function (i) { return i - 1; },
      PageDown: function (i) { return i + 8; },
      PageUp: function (i) { return i - 8; },
      Home: function () { return 0; },
      End: function (i, n) { return n - 1; },
    };

    // Returns the chosen entry, or null while the choice is still open.
    function key(ev) {
      if (ev.key === 'Tab' || ev.key === 'Escape') {
        if (ev.key === 'Escape') ev.preventDefault();
        closeList();
        return null;
      }
      if (ev.ctrlKey || ev.metaKey || ev.altKey) return null;
      ev.preventDefault();
      if (ev.key === 'Enter' || ev.key === ' ') return list.entries[list.active];
      const move = MOVES[ev.key];
      if (move) setActive(move(list.active, list.entries.length));
      else if (ev.key.length === 1) setActive(nextWith(ev.key));
      return null;
    }

    function nextWith(letter) {
      const n = list.entries.length;
      for (let k = 1; k <= n; k += 1) {
        const i = (list.active + k) % n;
        if (list.entries[i].label[0].toLowerCase() === letter.toLowerCase()) return i;
      }
      return list.active;
    }

    // ---- alert ------------------------------------------------------------------------

    function alert(spec) {
      closeList();
      closeDialog();
      const el = document.createElement('div');
      el.className = 'veil';
      const box = document.createElement('div');
      box.className = 'alert';
      box.setAttribute('role', 'alertdialog');
      box.setAttribute('aria-modal', 'true');
      box.setAttribute('aria-labelledby', 'labos-alert-title');
      box.setAttribute('aria-describedby', 'labos-alert-text');
      const title = document.createElement('h2');
      title.id = 'labos-alert-title';
      title.textContent = 'FAULT: ' + spec.code.replace(/_/g, ' ');
      const text = document.createElement('p');
      text.id = 'labos-alert-text';
      text.textContent = spec.text;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'btn primary';
      button.textContent = 'START AGAIN';
      button.addEventListener('click', function () {
        closeDialog();
        spec.onAgain();
      });
      box.append(title, text, button);
      el.appendChild(box);
      layer.appendChild(el);
      dialog = { el: el, button: button };
      button.focus();
    }

    function closeDialog() {
      if (dialog) dialog.el.remove();
      dialog = null;
    }

    // One button: Tab has nowhere else to go.
    function dialogKey(ev) {
      if (ev.key !== 'Tab') return;
      ev.preventDefault();
      dialog.button.focus();
    }

    return {
      openList: openList,
      closeList: closeList,
      listOpen: function () { return list !== null; },
      listControl: function () { return list ? list.control : null; },
      optionAt: optionAt,
      optionBoxes: optionBoxes,
      hover: function (node) { const i = indexOf(node); if (i >= 0) setActive(i); },
      key: key,
      alert: alert,
      closeDialog: closeDialog,
      dialogOpen: function () { return dialog !== null; },
      inDialog: function (node) { return dialog !== null && dialog.button.contains(node); },
      dialogKey: dialogKey,
      holds: function (node) { return layer.contains(node) && !(dialog && dialog.button.contains(node)); },
    };
  }

  parts.dialog = { createPopups: createPopups };
})();
