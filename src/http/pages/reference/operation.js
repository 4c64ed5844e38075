/** The page of an operation: its description, a form to try it, and its answers. */
import { highlighted } from './answer.js';
import { copyButton, el, inline, prose } from './dom.js';
import { markdownOf } from './markdown.js';
import { refusalsOf } from './refusals.js';
import { keysOf } from './schema.js';
import { tryOut } from './try.js';

/** Shows `operation`; `given` are initial parameters, which the address follows from then on. */
export function showOperation(operation, { resolve, token, given }) {
  const { method, path, title, group, summary, description, responses } = operation;
  const { form, request, answer, curl } = tryOut(operation, { resolve, token, given });
  const verb = el('span', { class: `verb ${method.toLowerCase()}` }, method);
  const heading = el('h1', { tabindex: '-1' }, title);
  const copy = copyButton(() => markdownOf(operation, curl(), resolve), heading, 'Copy as Markdown');
  return el(
    'div',
    { class: 'page' },
    el(
      'article',
      {},
      el('p', { class: 'hint' }, group),
      el('div', { class: 'line' }, heading, el('span', { class: 'gap' }), copy),
      el('p', { class: 'address' }, verb, ' ', el('code', {}, path)),
      el('p', { class: 'lead' }, inline(summary), '.'),
      el('div', { class: 'hint' }, prose(description)),
      form,
      refusalsOf(operation, resolve),
      answersOf(responses, resolve),
    ),
    el('aside', { 'aria-label': 'Request and answer' }, request, answer),
  );
}

function answersOf(responses, resolve) {
  const told = responses.map((response) => {
    const { status, description, content = {} } = response;
    const types = Object.entries(content);
    const [, json] = types.find(([type]) => type === 'application/json') ?? [];
    const files = types.map(([type]) => type).filter((type) => type !== 'application/json');
    const tone = status < 300 ? 'good' : status < 400 ? 'warn' : 'bad';
    return el(
      'li',
      {},
      el(
        'details',
        { ontoggle: fill },
        el('summary', {}, el('strong', { class: tone }, status), ' ', el('span', {}, inline(description))),
      ),
    );
    /** Filled when unfolded, since a record has many keys. */
    function fill({ target }) {
      if (!target.open || target.children.length > 1) return;
      target.append(
        ...[
          files.length > 0 &&
            el('p', { class: 'hint' }, 'Also as ', inline(files.map((type) => `\`${type}\``).join(', ')), '.'),
          json?.schema && keysOf(json.schema, resolve),
          json?.example !== undefined &&
            el(
              'pre',
              { tabindex: '0', 'aria-label': `Example of ${status}` },
              highlighted(JSON.stringify(json.example, null, 2)),
            ),
        ].filter(Boolean),
      );
    }
  });
  return el('section', {}, el('h2', {}, 'Answers'), el('ul', { class: 'answers' }, told));
}
