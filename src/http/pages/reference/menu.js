/** The menu: operations by object, each object foldable, with a search. */
import { el } from './dom.js';
import { nearest } from './nearest.js';
import { linkTo } from './place.js';

const [search, start, operations, found] = ['#search', '#start', '#operations', '#found'].map((selector) =>
  document.querySelector(selector),
);

/** The most operations that a search unfolds. */
const mostShown = 300;

/** All operations of the menu. */
let all = [];

/** The sections of objects; each remembers whether it was open before a search. */
let sections = [];
let wanted = [];

search.addEventListener('input', filter);
search.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter')
    (operations.querySelector('details:not([hidden]) li:not([hidden]) a') ?? found.querySelector('a'))?.click();
  if (key !== 'Escape') return;
  search.value = '';
  filter();
});

/** Shows `groups`; the result marks the open operation, or the start page by ''. */
export function showMenu(groups) {
  const links = new Map([['', { link: start.querySelector('a') }]]);
  all = [...groups.values()].flat();
  sections = [...groups].map(([name, members]) => sectionOf(name, members, links));
  operations.replaceChildren(el('h2', {}, 'Operations'), ...sections.map(({ section }) => section));
  search.value = '';
  filter();
  let marked;
  return {
    mark(id) {
      marked?.link.removeAttribute('aria-current');
      marked = links.get(id);
      if (!marked) return;
      marked.link.setAttribute('aria-current', 'page');
      if (marked.section) marked.section.open = true;
      marked.link.scrollIntoView({ block: 'nearest' });
    },
  };
}

function filter() {
  const before = wanted.length;
  wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const one of sections) {
    const { section, items } = one;
    let visible = 0;
    for (const { item, text } of items) {
      const isFound = wanted.every((word) => text.includes(word));
      if (item.hidden === isFound) item.hidden = !isFound;
      if (isFound) visible++;
    }
    if (before === 0) one.wasOpen = section.open;
    section.hidden = visible === 0;
    count += visible;
    // Of thousands of operations, few letters find too many to unfold.
    section.open = wanted.length > 0 ? visible > 0 && count <= mostShown : before > 0 ? one.wasOpen : section.open;
  }
  start.hidden = wanted.length > 0;
  if (wanted.length === 0 || count > 0) found.textContent = count > 0 && wanted.length > 0 ? `${count} found` : '';
  else found.replaceChildren(`No operation of that name; nearest: `, ...nearestLinks(search.value));
}

function nearestLinks(name) {
  return nearest(name, all).flatMap((operation, at) => [
    at > 0 ? ', ' : '',
    el('a', linkTo(operation), operation.title),
  ]);
}

function sectionOf(name, members, links) {
  const section = el('details', {}, el('summary', {}, el('bdi', {}, name)));
  const items = members.map((operation) => {
    const { id, title, method } = operation;
    const link = el(
      'a',
      linkTo(operation),
      el('span', { class: `verb ${method.toLowerCase()}` }, method === 'DELETE' ? 'DEL' : method),
      el('span', {}, title),
    );
    links.set(id, { link, section });
    return { item: el('li', {}, link), text: textOf(operation, name) };
  });
  section.append(
    el(
      'ul',
      {},
      items.map(({ item }) => item),
    ),
  );
  return { section, items, wasOpen: false };
}

/** The searched text of an operation: its names, path and fields. */
function textOf({ id, title, method, path, summary, parameters, body }, group) {
  const fields = Object.keys(body?.example ?? {});
  const names = parameters.map(({ name }) => name);
  return [id, title, method, path, summary, group, ...names, ...fields].join(' ').toLowerCase();
}
