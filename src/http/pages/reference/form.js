/** The form of an operation: a control per parameter, and the body as JSON. */
import { choice, el, prose } from './dom.js';
import { fieldsIn, filterBuilder } from './filter-builder.js';
import { keysOf, limitText, optionsOf, shapesOf, typeText } from './schema.js';

const places = { path: 'in the path', query: '', header: 'header' };

/** The form and its contents: `values` by parameter, and the text of the body. `given` are initial values. */
export function formOf({ parameters, body, record }, { resolve, given }) {
  const controls = parameters.map((parameter) => ({ parameter, control: controlOf(parameter, resolve, given) }));
  const editor = body && editorOf(body, resolve);
  const rowsIn = (place) =>
    controls
      .filter(({ parameter }) => parameter.in === place)
      .map(({ parameter, control }) => parameterRow(parameter, control, { resolve, record }));
  return {
    rows: [...rowsIn('path'), editor?.row, ...rowsIn('query'), ...rowsIn('header')],
    values: () =>
      controls
        .map(({ parameter, control }) => ({ name: parameter.name, place: parameter.in, value: control.value }))
        .filter(({ value }) => value !== ''),
    body: () => editor?.text(),
    /** Makes the following requests permanent instead of dry runs. */
    keep() {
      for (const { parameter, control } of controls) if (parameter.name === 'dry_run') control.value = '';
    },
    clear() {
      for (const { parameter, control } of controls) {
        control.value = usual(parameter);
        // The filter editor reads it.
        control.dispatchEvent(new Event('input'));
      }
      editor?.clear();
    },
  };
}

/** Writes start as dry runs. */
function usual({ name }) {
  return name === 'dry_run' ? 'true' : '';
}

function controlOf(parameter, resolve, given) {
  const { name, schema = {}, required = false } = parameter;
  const { shapes } = shapesOf(schema, resolve);
  const [shape = {}] = shapes;
  const id = `p-${name}`;
  const options = shape.type === 'boolean' ? ['true', 'false'] : optionsOf(schema, resolve);
  const shared = { id, name, required, 'aria-describedby': `${id}-about` };
  const control =
    options.length > 0
      ? el(
          'select',
          shared,
          el('option', { value: '' }, '—'),
          options.map((option) => el('option', {}, option)),
        )
      : shape.contentMediaType === 'application/json'
        ? el('textarea', { ...shared, rows: 3, spellcheck: 'false', placeholder: exampleText(shape, resolve) })
        : el('input', {
            ...shared,
            autocomplete: 'off',
            spellcheck: 'false',
            placeholder: placeholderOf(parameter, shape),
          });
  if (shape.type === 'integer') control.setAttribute('inputmode', 'numeric');
  // A link must not change headers or turn off the dry run.
  const isGuard = name === 'dry_run' || parameter.in === 'header';
  control.value = (isGuard ? null : given.get(name)) ?? usual(parameter);
  return control;
}

function placeholderOf({ example }, { default: standard, examples: [first] = [] }) {
  return standard ?? example ?? first;
}

function exampleText({ contentSchema }, resolve) {
  const { examples: [example] = [], items } = resolve(contentSchema) ?? {};
  if (example !== undefined) return JSON.stringify(example);
  const keys = Object.entries(resolve(items)?.properties ?? {});
  return keys.length === 0
    ? undefined
    : JSON.stringify([
        Object.fromEntries(keys.map(([key, { enum: [value] = [], examples: [one] = [] }]) => [key, value ?? one])),
      ]);
}

function parameterRow({ name, in: place, schema, description = '', required }, control, { resolve, record }) {
  const [lead, ...rest] = prose(description);
  const limits = limitText(schema, resolve);
  const builder =
    name === 'filters' ? filterBuilder(control, fieldsIn(description), filterParts(resolve, record)) : undefined;
  return el(
    'div',
    { class: 'row' },
    el(
      'div',
      {},
      el('label', { for: control.id }, name),
      required && el('span', { class: 'flag' }, 'required'),
      el('p', { class: 'hint' }, [typeText(schema, resolve), limits, places[place]].filter(Boolean).join(', ')),
    ),
    el(
      'div',
      {},
      el('div', { id: `${control.id}-about`, class: 'about' }, lead),
      control,
      builder?.button,
      builder?.panel,
      rest.length > 0 && el('details', {}, el('summary', {}, 'Fields and operators'), rest),
    ),
  );
}

/** The parts of filters in the document. */
function filterParts(resolve, record) {
  const { properties, 'x-valueless': valueless = [] } = resolve({ $ref: '#/components/schemas/FilterCondition' });
  const values = resolve(record)?.properties ?? {};
  return {
    operators: properties.operator.enum,
    valueless,
    optionsOf: (field) => (values[field] ? optionsOf(values[field], resolve) : []),
  };
}

function editorOf({ schema, example }, resolve) {
  const short = JSON.stringify(shortened(schema, example, resolve), null, 2);
  const area = el('textarea', {
    id: 'body',
    class: 'body',
    spellcheck: 'false',
    required: true,
    'aria-describedby': 'body-problem',
  });
  const problem = el('p', { id: 'body-problem', class: 'problem', role: 'status' });
  const set = (text) => {
    area.value = text;
    area.rows = Math.min(24, Math.max(4, text.split('\n').length));
    check();
  };
  const check = () => {
    const told = problemOf(area.value);
    area.setCustomValidity(told);
    problem.textContent = told;
  };
  const add = (name) => {
    const button = el(
      'button',
      { type: 'button', class: 'plain small', 'aria-label': `Add ${name} to the body` },
      'Add',
    );
    button.addEventListener('click', () => {
      const value = JSON.parse(problemOf(area.value) === '' ? area.value : '{}');
      set(JSON.stringify({ ...value, [name]: example?.[name] ?? null }, null, 2));
      area.dispatchEvent(new Event('input', { bubbles: true }));
    });
    return button;
  };
  area.addEventListener('input', check);
  const size = choice('Begin with', ['Short', 'Full'], (name) => {
    set(name === 'Short' ? short : JSON.stringify(example, null, 2));
    area.dispatchEvent(new Event('input', { bubbles: true }));
  });
  set(short);
  const keys = keysOf(schema, resolve, isObject(example) ? add : undefined);
  const row = el(
    'div',
    { class: 'row' },
    el('div', {}, el('label', { for: 'body' }, 'body'), el('p', { class: 'hint' }, 'JSON')),
    el(
      'div',
      {},
      el('div', { class: 'line' }, size),
      area,
      problem,
      keys && el('details', { open: true }, el('summary', {}, 'Keys'), keys),
    ),
  );
  return { row, text: () => area.value, clear: () => set(short) };
}

/** The required keys of the example; if there are none, two plain values. */
function shortened(schema, example, resolve) {
  const { shapes } = shapesOf(schema, resolve);
  if (Array.isArray(example)) {
    const items = shapes.find(({ type }) => type === 'array')?.items;
    return example.slice(0, 1).map((item) => (items ? shortened(items, item, resolve) : item));
  }
  if (!isObject(example)) return example;
  const { properties = {}, required = [] } = shapes.find((shape) => shape.properties) ?? {};
  const entries = Object.entries(example);
  const needed = entries.filter(([name]) => required.includes(name));
  const plain = entries.filter(([, value]) => typeof value !== 'object').slice(0, 2);
  const chosen = needed.length > 0 ? needed : plain.length > 0 ? plain : entries;
  return Object.fromEntries(
    chosen.map(([name, value]) => [name, properties[name] ? shortened(properties[name], value, resolve) : value]),
  );
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The problem of invalid JSON; undefined for valid text. */
function problemOf(text) {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return text.trim() === '' ? '' : `Not JSON: ${error.message}`;
  }
}
