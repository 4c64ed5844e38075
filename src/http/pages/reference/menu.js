/** The list of operations, and the search in it. */
import { el } from './dom.js';

const search = document.querySelector('#search');
const operations = document.querySelector('#operations');
const found = document.querySelector('#found');

let sections = [];

search.addEventListener('input', filter);
search.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') operations.querySelector('section:not([hidden]) li:not([hidden]) a')?.click();
  if (key !== 'Escape') return;
  search.value = '';
  filter();
});

/** Shows `groups` in the menu; the result marks the operation that is open. */
export function showMenu(groups) {
  const links = new Map();
  sections = [...groups].map(([name, members]) => sectionOf(name, members, links));
  operations.replaceChildren(...sections.map(({ section }) => section));
  search.value = '';
  filter();
  return {
    mark(id) {
      for (const [name, link] of links) {
        if (name === id) link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
      }
      links.get(id)?.scrollIntoView({ block: 'nearest' });
    },
  };
}

function filter() {
  const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { section, items } of sections) {
    for (const { item, text } of items) item.hidden = !wanted.every((word) => text.includes(word));
    const visible = items.filter(({ item }) => !item.hidden).length;
    section.hidden = visible === 0;
    count += visible;
  }
  found.textContent =
    wanted.length === 0 ? '' : count === 0 ? `Nothing is called “${search.value}”.` : `${count} found`;
}

function sectionOf(name, members, links) {
  const items = members.map((operation) => {
    const { id, title, method } = operation;
    const link = el(
      'a',
      { href: `#/${id}` },
      el('span', { class: `verb ${method.toLowerCase()}` }, method === 'DELETE' ? 'DEL' : method),
      el('span', {}, title),
    );
    links.set(id, link);
    return { item: el('li', {}, link), text: textOf(operation, name) };
  });
  const section = el(
    'section',
    {},
    el('h2', {}, name),
    el(
      'ul',
      {},
      items.map(({ item }) => item),
    ),
  );
  return { section, items };
}

/** What an operation is found by: its names, its path, and the fields that it takes. */
function textOf({ id, title, method, path, summary, parameters, body }, group) {
  const fields = Object.keys(body?.example ?? {});
  const names = parameters.map(({ name }) => name);
  return [id, title, method, path, summary, group, ...names, ...fields].join(' ').toLowerCase();
}
