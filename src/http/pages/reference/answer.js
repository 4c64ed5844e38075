/** Shows an answer: its status, duration, body and headers. */
import { choice, copyButton, el } from './dom.js';
import { rowsIn, tableOf } from './table.js';

/** A longer body would make the page slow. */
const mostCharacters = 200_000;

/** Shows the answer; `live` is read out by screen readers. */
export function showAnswer({ response, text, ms }) {
  const { status, statusText, headers } = response;
  const body = bodyText(text, headers.get('content-type') ?? '');
  const pane = el('pre', { tabindex: '0', role: 'group', 'aria-label': 'Answer' });
  const rows = rowsIn(text);
  const card = el('div', { class: 'code' });
  let table;
  const show = (name) => {
    pane.replaceChildren(...(name === 'Body' ? highlighted(body) : name === 'Headers' ? headerLines(headers) : []));
    card.lastElementChild?.replaceWith(name === 'Table' ? (table ??= tableOf(rows)) : pane);
  };
  show('Body');
  const tone = status < 300 ? 'good' : status < 400 ? 'warn' : 'bad';
  const head = el(
    'header',
    {},
    el('strong', { class: tone }, `${status} ${statusText}`.trim()),
    el('span', { class: 'hint' }, `${Math.round(ms)} ms`),
    el('span', { class: 'hint' }, sizeOf(text)),
    el('span', { class: 'gap' }),
    choice('Show', ['Body', ...(rows ? ['Table'] : []), 'Headers'], show),
    copyButton(() => body, pane),
  );
  card.append(head, pane);
  return [card, ...notes(headers)];
}

function bodyText(text, type) {
  if (!type.includes('json') || type.includes('ndjson')) return text;
  try {
    return JSON.stringify(JSON.parse(text, exact), null, 2);
  } catch {
    return text;
  }
}

/** Keeps the digits of numbers. */
function exact(_key, value, { source } = {}) {
  return typeof value === 'number' && source !== undefined && JSON.rawJSON ? JSON.rawJSON(source) : value;
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g;

/** JSON with highlighted keys and texts; other text unchanged. */
export function highlighted(text) {
  const shown = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}\n…` : text;
  if (!/^\s*[[{]/.test(shown)) return [shown === '' ? '(empty)' : shown];
  const parts = [];
  let end = 0;
  for (const { 0: found, 1: string, 2: colon, index } of shown.matchAll(token)) {
    parts.push(shown.slice(end, index));
    const kind = string === undefined ? 'literal' : colon === undefined ? 'string' : 'property';
    parts.push(el('span', { class: kind }, string ?? found), colon ?? '');
    end = index + found.length;
  }
  return [...parts, shown.slice(end)];
}

function headerLines(headers) {
  return [...headers].flatMap(([name, value]) => [el('span', { class: 'property' }, name), `: ${value}\n`]);
}

function sizeOf(text) {
  const bytes = new TextEncoder().encode(text).length;
  return bytes < 1000
    ? `${bytes} B`
    : bytes < 1e6
      ? `${(bytes / 1000).toFixed(1)} KB`
      : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Notes on headers that a reader should not miss. */
function notes(headers) {
  const warning = headers.get('warning');
  const left = headers.get('x-ratelimit-remaining');
  const limits =
    left !== null &&
    `${left} of ${headers.get('x-ratelimit-limit')} requests left (${headers.get('x-ratelimit-policy')}).`;
  return [
    warning !== null &&
      el(
        'p',
        { class: 'note' },
        warning.replaceAll(/299 - "((?:[^"\\]|\\.)*)"/g, (_, told) => told.replaceAll(/\\(.)/g, '$1')),
      ),
    headers.get('dry-run') === 'true' && el('p', { class: 'note' }, 'This was a dry run: nothing was kept.'),
    limits && el('p', { class: 'hint' }, limits),
  ].filter(Boolean);
}
