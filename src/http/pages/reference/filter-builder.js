/** A FilterGroup editor: conditions of field, operator and value, and nested groups. It writes JSON into a text area and reads it back. */
import { el } from './dom.js';

const kinds = [
  ['AND', 'All of these'],
  ['OR', 'Any of these'],
];

/** The operators of each field, parsed from the parameter's description. */
export function fieldsIn(description) {
  const [, lines = ''] = description.split('Fields and their operators:');
  return new Map(
    [...lines.matchAll(/^- (.+?): (.+)$/gm)].flatMap(([, names, operators]) =>
      names.split(', ').map((name) => [name, operators.split(', ')]),
    ),
  );
}

/**
 * The editor for `area`, initially folded; undefined without fields. `operators` are all, `valueless` those without a
 * value, `optionsOf` gives the values of a field with options.
 */
export function filterBuilder(area, fields, { operators, valueless, optionsOf }) {
  if (fields.size === 0) return undefined;
  const parts = { fields, operators, valueless: new Set(valueless), optionsOf };
  const panel = el('div', { id: `${area.id}-builder`, class: 'builder', hidden: true });
  const open = el(
    'button',
    { type: 'button', class: 'small', 'aria-expanded': 'false', 'aria-controls': panel.id, onclick: unfold },
    'Build it',
  );
  let root;
  let isWriting = false;

  const write = () => {
    isWriting = true;
    area.value = root.conditions.length === 0 ? '' : JSON.stringify(root);
    area.dispatchEvent(new Event('input', { bubbles: true }));
    isWriting = false;
  };
  /** Redraws the editor; `focused` is the condition that gets the focus. */
  const draw = (focused) => {
    panel.replaceChildren(groupView(root, { ...parts, write, redraw }));
    if (focused) panel.querySelector(focused)?.focus();
  };
  function redraw(focused) {
    write();
    draw(focused);
  }
  const read = () => {
    const { group, problem } = groupIn(area.value);
    root = group;
    if (problem === undefined) draw();
    else panel.replaceChildren(el('p', { class: 'problem' }, problem));
  };
  function unfold() {
    panel.hidden = !panel.hidden;
    open.setAttribute('aria-expanded', String(!panel.hidden));
    if (!panel.hidden) read();
  }
  area.addEventListener('input', () => {
    if (!isWriting && !panel.hidden) read();
  });
  const hint = el(
    'span',
    { class: 'hint' },
    `${operators.length} operators. A wrong name is answered with the nearest one.`,
  );
  return { button: el('div', { class: 'line' }, open, hint), panel };
}

/** Parses the text: a group, an empty one for empty text, or the problem. */
function groupIn(text) {
  if (text.trim() === '') return { group: { type: 'AND', conditions: [] } };
  try {
    const group = JSON.parse(text);
    return isGroup(group)
      ? { group }
      : { problem: 'This is JSON, and no FilterGroup: {"type":"AND","conditions":[…]}' };
  } catch (error) {
    return { problem: `Not JSON: ${error.message}` };
  }
}

function isGroup(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    Array.isArray(value.conditions) &&
    value.conditions.every((one) => typeof one === 'object' && one !== null && (!one.conditions || isGroup(one)))
  );
}

function groupView(group, parts, parent) {
  const { redraw, fields } = parts;
  const add = (condition) => {
    group.conditions.push(condition);
    redraw('[data-new]');
  };
  const [[first = '', [operator] = []] = []] = fields;
  const plain = () => marked({ field: first, operator });
  const items = group.conditions.map((one) =>
    el('li', {}, one.conditions ? groupView(one, parts, group) : conditionView(one, parts, group)),
  );
  return el(
    'div',
    { role: 'group', 'aria-label': 'Conditions' },
    el(
      'div',
      { class: 'line' },
      chosen('How they go together', kinds, group.type ?? 'AND', (type) => {
        group.type = type;
        parts.write();
      }),
      parent && removeButton('Remove the group', group, parent, redraw),
    ),
    el('ul', {}, items),
    el(
      'div',
      { class: 'line' },
      el('button', { type: 'button', class: 'small', onclick: () => add(plain()) }, 'Add a condition'),
      el(
        'button',
        { type: 'button', class: 'plain small', onclick: () => add({ type: 'OR', conditions: [plain()] }) },
        'Add a group',
      ),
    ),
  );
}

/** Newly added conditions, whose field gets the focus. */
const fresh = new WeakSet();

function marked(condition) {
  fresh.add(condition);
  return condition;
}

function conditionView(condition, parts, group) {
  const { fields, operators, write, redraw } = parts;
  const names = [...fields.keys()];
  const isKnown = fields.has(condition.field);
  const field = chosen(
    'Field',
    (isKnown ? names : [condition.field, ...names]).map((name) => [name, name]),
    condition.field,
    (name) => {
      condition.field = name;
      const own = fields.get(name) ?? operators;
      if (!own.includes(condition.operator)) condition.operator = own[0];
      redraw();
    },
  );
  if (fresh.delete(condition)) field.setAttribute('data-new', '');
  // A field behind a relation, or an unknown one, may take any operator.
  const own = isKnown ? fields.get(condition.field) : operators;
  const how = chosen(
    'Operator',
    (own.includes(condition.operator) ? own : [condition.operator, ...own]).map((name) => [
      name,
      (name ?? '').replaceAll('_', ' '),
    ]),
    condition.operator,
    (name) => {
      condition.operator = name;
      if (parts.valueless.has(name)) delete condition.value;
      redraw();
    },
  );
  return el(
    'div',
    { class: 'line' },
    field,
    how,
    !parts.valueless.has(condition.operator) && valueControl(condition, parts, write),
    removeButton('Remove the condition', condition, group, redraw),
  );
}

let lists = 0;

function valueControl(condition, { optionsOf }, write) {
  const options = optionsOf(condition.field);
  const list =
    options.length > 0 &&
    el(
      'datalist',
      { id: `values-${++lists}` },
      options.map((value) => el('option', { value })),
    );
  const input = el('input', {
    'aria-label': 'Value',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'value',
    list: list && list.id,
  });
  const { value } = condition;
  input.value = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  input.addEventListener('input', (event) => {
    event.stopPropagation();
    condition.value = valueOf(input.value);
    write();
  });
  return el('span', { class: 'value' }, input, list);
}

/** A list is parsed as JSON; other text is interpreted by the service. */
function valueOf(text) {
  if (!text.startsWith('[')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function chosen(label, options, value, choose) {
  const select = el(
    'select',
    { 'aria-label': label },
    options.map(([name, text]) => el('option', { value: name ?? '' }, text)),
  );
  select.value = value ?? '';
  select.addEventListener('input', (event) => {
    event.stopPropagation();
    choose(select.value);
  });
  return select;
}

function removeButton(label, one, group, redraw) {
  const remove = () => {
    group.conditions.splice(group.conditions.indexOf(one), 1);
    redraw('select');
  };
  return el(
    'button',
    { type: 'button', class: 'plain small', 'aria-label': label, title: label, onclick: remove },
    '×',
  );
}
