/** The rows of an answer as a table. */
import { el } from './dom.js';

/** More rows would make the page slow. */
const mostRows = 200;
const longestCell = 120;

/** The rows of an answer's text: a list of objects, or the first key with such a list. Undefined if there is none. */
export function rowsIn(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const lists = Array.isArray(value) ? [value] : Object.values(value ?? {}).filter((part) => Array.isArray(part));
  return lists.find((list) => list.length > 0 && list.every((row) => isObject(row)));
}

/** The table, with ids last; derived keys of fields are only in the JSON. */
export function tableOf(rows) {
  const shown = rows.slice(0, mostRows);
  const names = [...new Set(shown.flatMap((row) => Object.keys(row)))].filter((name) => !name.startsWith('_'));
  const columns = [...names.filter((name) => name !== 'id'), ...names.filter((name) => name === 'id')];
  const head = columns.map((name) => el('th', { scope: 'col' }, name));
  const body = shown.map((row) =>
    el(
      'tr',
      {},
      columns.map((name) =>
        el('td', { class: typeof row[name] === 'number' && 'number' }, el('bdi', {}, cellText(row[name]))),
      ),
    ),
  );
  const more = rows.length > shown.length && el('p', { class: 'hint' }, `The first ${mostRows} of ${rows.length}.`);
  return el(
    'div',
    { class: 'rows', tabindex: '0', role: 'region', 'aria-label': 'Answer as a table' },
    el('table', {}, el('thead', {}, el('tr', {}, head)), el('tbody', {}, body)),
    more,
  );
}

/** The readable text of a value: its display name, if it has one. */
function cellText(value) {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return cut(value.map(cellText).join(', '));
  if (!isObject(value)) return cut(String(value));
  const { display, name, label, value: inner, amount, currency } = value;
  if (amount !== undefined) return [amount, currency].filter((part) => part !== undefined && part !== null).join(' ');
  const called = display ?? name ?? label ?? inner;
  return cut(typeof called === 'string' ? called : JSON.stringify(value));
}

function cut(text) {
  return text.length > longestCell ? `${text.slice(0, longestCell)}…` : text;
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
