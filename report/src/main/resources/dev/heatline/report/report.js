'use strict';
(() => {
  const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
  const sections = $$('main > section');
  const tabs = $$('nav a');
  const find = document.querySelector('nav input');
  const tree = document.querySelector('table.xtree tbody');
  const treeRows = tree ? [...tree.rows] : [];
  const index = new Map(treeRows.map((row, i) => [row, i]));
  const level = treeRows.map((row) => Number(row.dataset.level));

  /** Shows the view that holds what the address points at, and brings that into sight. */
  function follow() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const section = target?.closest('main > section') ?? sections.find((s) => s.id === document.body.dataset.view);
    if (!section) return;
    sections.forEach((s) => (s.hidden = s !== section));
    tabs.forEach((tab) => {
      if (tab.hash === '#' + section.id) tab.setAttribute('aria-current', 'page');
      else tab.removeAttribute('aria-current');
    });
    if (!target || target === section) {
      scrollTo(0, 0);
      return;
    }
    if (index.has(target)) reveal(index.get(target));
    else target.hidden = false;
    (target.querySelector('.self') ?? target).scrollIntoView({ block: 'center' });
    if (target.tabIndex === 0) target.focus({ preventScroll: true });
  }

  /** For each row of the tree its parent's row, and one past the last row below it. */
  const parent = [];
  const end = [];
  {
    const open = [];
    level.forEach((at, i) => {
      for (const done of open.splice(at)) end[done] = i;
      parent[i] = at > 0 ? open[at - 1] : -1;
      open.push(i);
    });
    for (const done of open) end[done] = level.length;
  }

  const folds = (i) => treeRows[i].hasAttribute('aria-expanded');
  const isOpen = (i) => treeRows[i].getAttribute('aria-expanded') !== 'false';

  function setOpen(i, open) {
    if (folds(i)) treeRows[i].setAttribute('aria-expanded', String(open));
  }

  /** Shows the rows below open ones in one pass; the row it starts with must be visible. */
  function show(from, to) {
    let hiddenTo = from;
    for (let i = from; i < to; i++) {
      treeRows[i].hidden = i < hiddenTo;
      if (i >= hiddenTo && !isOpen(i)) hiddenTo = end[i];
    }
  }

  function toggle(i, open) {
    setOpen(i, open);
    show(i, end[i]);
  }

  function reveal(i) {
    for (let up = parent[i]; up >= 0; up = parent[up]) setOpen(up, true);
    show(0, level.length);
  }

  /** Small branches start folded, so that the expensive paths can be seen at once. */
  function foldSmallBranches() {
    treeRows.forEach((row, i) => setOpen(i, Number(row.dataset.share) >= 1));
    show(0, level.length);
  }

  function sort(button) {
    const head = button.parentElement;
    const table = head.closest('table');
    const column = head.cellIndex;
    const words = head.matches('.words, .name');
    const down = head.getAttribute('aria-sort') ? head.getAttribute('aria-sort') === 'ascending' : !words;
    $$('th[aria-sort]', table).forEach((other) => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const body = table.tBodies[0];
    const keyed = [...body.rows].map((row) => {
      const text = row.cells[column].textContent;
      return { row, key: words ? text : parseFloat(text.replace('<', '')) || 0 };
    });
    const sign = down ? -1 : 1;
    keyed.sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    body.append(...keyed.map((entry) => entry.row));
  }

  const named = (row, wanted) => row.querySelector('bdi').textContent.toLowerCase().includes(wanted);

  function filter() {
    const wanted = find.value.trim().toLowerCase();
    $$('table.rows tbody tr').forEach((row) => (row.hidden = !named(row, wanted)));
    $$('table.xarc tbody').forEach((body) => (body.hidden = !named(body.querySelector('.self'), wanted)));
    if (wanted === '') {
      foldSmallBranches();
      return;
    }
    const onPath = treeRows.map((row) => named(row, wanted));
    for (let i = level.length - 1; i > 0; i--) {
      if (onPath[i] && parent[i] >= 0) onPath[parent[i]] = true;
    }
    treeRows.forEach((row, i) => {
      row.hidden = !onPath[i];
      setOpen(i, true);
    });
  }

  function step(row, by) {
    const rows = [...row.closest('table').querySelectorAll('tr[tabindex]')];
    for (let i = rows.indexOf(row) + by; i >= 0 && i < rows.length; i += by) {
      if (!rows[i].hidden && !rows[i].parentElement.hidden) {
        rows[i].focus();
        return;
      }
    }
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/' && find && event.target !== find) {
      find.focus();
    } else if (event.key === 'Escape' && event.target === find) {
      find.value = '';
      filter();
      find.blur();
    } else if (event.target.matches('tr[tabindex]')) {
      const row = event.target;
      const at = index.get(row);
      if (event.key === 'ArrowDown') step(row, 1);
      else if (event.key === 'ArrowUp') step(row, -1);
      else if (event.key === 'Enter') row.querySelector('td.name a')?.click();
      else if (event.key === 'ArrowRight' && at !== undefined) toggle(at, true);
      else if (event.key === 'ArrowLeft' && at !== undefined) {
        if (folds(at) && isOpen(at)) toggle(at, false);
        else treeRows[parent[at]]?.focus();
      } else return;
    } else return;
    event.preventDefault();
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('th button');
    if (button) sort(button);
    if (event.target.matches('.fold')) {
      const at = index.get(event.target.closest('tr'));
      toggle(at, !isOpen(at));
    }
  });
  document.addEventListener('keydown', onKey);
  let typing = 0;
  find?.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(filter, 120);
  });
  addEventListener('hashchange', follow);
  foldSmallBranches();
  if (sections.length > 0) follow();
})();
