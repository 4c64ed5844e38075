/** Shows JSON Schema: types in words, and object keys to unfold. */
import { el, inline } from './dom.js';

const formats = { uuid: 'id', date: 'date', 'date-time': 'time', email: 'e-mail address', uri: 'address' };
const simple = { string: 'text', integer: 'whole number', number: 'number', boolean: 'true or false', null: 'null' };

const plurals = { id: 'ids', date: 'dates', time: 'times', text: 'texts', object: 'objects', number: 'numbers' };

/** The possible shapes of a value, without null, and whether it is nullable. References, `anyOf`, `oneOf` and `allOf` are resolved. */
export function shapesOf(schema, resolve) {
  const resolved = resolve(schema) ?? {};
  const { anyOf, oneOf, allOf, ...own } = resolved;
  if (allOf) return shapesOf(allOf.map(resolve).reduce(merged, own), resolve);
  const parts = anyOf ?? oneOf;
  if (parts) {
    const each = parts.map((part) => shapesOf(part, resolve));
    return { shapes: each.flatMap(({ shapes }) => shapes), nullable: each.some(({ nullable }) => nullable) };
  }
  const types = Array.isArray(resolved.type) ? resolved.type : [resolved.type];
  const others = types.filter((type) => type !== 'null');
  const nullable = resolved.nullable === true || others.length < types.length;
  return { shapes: others.map((type) => ({ ...resolved, type })), nullable };
}

function merged(one, other) {
  const properties = { ...one.properties, ...other.properties };
  return { ...one, ...other, properties, required: [...(one.required ?? []), ...(other.required ?? [])] };
}

/** The type in words: `list of ids or objects, or null`. */
export function typeText(schema, resolve) {
  const { shapes, nullable } = shapesOf(schema, resolve);
  const names = [...new Set(shapes.map((shape) => shapeText(shape, resolve)))];
  if (names.length === 0) return 'anything';
  const divider = names.some((name) => name.includes(' or ')) ? ', or ' : ' or ';
  return names.join(divider) + (nullable ? ', or null' : '');
}

function shapeText(shape, resolve) {
  if (shape.contentMediaType === 'application/json') return 'JSON text';
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.length === 1 ? JSON.stringify(shape.enum[0]) : 'one of a list';
  if (shape.type === 'array') return `list of ${shape.items ? pluralText(shape.items, resolve) : 'anything'}`;
  if (shape.type === 'object' || shape.properties) return 'object';
  return formats[shape.format] ?? simple[shape.type] ?? 'anything';
}

function pluralText(schema, resolve) {
  const names = shapesOf(schema, resolve).shapes.map((shape) => shapeText(shape, resolve));
  return [...new Set(names)].map((name) => plurals[name] ?? name).join(' or ') || 'anything';
}

/** The limits of a value: `1 to 100, default 20`. */
export function limitText(schema, resolve) {
  const { shapes } = shapesOf(schema, resolve);
  const [{ minimum, maximum, maxLength, maxItems, default: usual } = {}] = shapes;
  const range =
    minimum !== undefined && maximum !== undefined
      ? `${minimum} to ${maximum}`
      : minimum !== undefined
        ? `at least ${minimum}`
        : maximum !== undefined
          ? `at most ${maximum}`
          : undefined;
  return [
    range,
    maxLength !== undefined && `at most ${maxLength.toLocaleString('en')} characters`,
    maxItems !== undefined && `at most ${maxItems.toLocaleString('en')}`,
    usual !== undefined && `default ${JSON.stringify(usual)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The allowed values, if enumerated. */
export function optionsOf(schema, resolve) {
  const { shapes } = shapesOf(schema, resolve);
  const inLists = shapes.flatMap((shape) =>
    shape.type === 'array' && shape.items ? optionsOf(shape.items, resolve) : [],
  );
  return [...shapes.flatMap((shape) => shape.enum ?? []), ...inLists].filter((option) => option !== null);
}

/** The keys of an object as a definition list; `action` may add a button to each. Undefined if there are none. */
export function keysOf(schema, resolve, action) {
  const objects = objectsIn(schema, resolve);
  if (objects.length === 0) return undefined;
  return el(
    'ul',
    { class: 'keys' },
    objects.flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties).map(([name, part]) => keyOf(name, part, required.includes(name), resolve, action)),
    ),
  );
}

/** The object schemas of a value, its list items or its map values. */
function objectsIn(schema, resolve) {
  return shapesOf(schema, resolve).shapes.flatMap((shape) => {
    if (shape.contentSchema) return objectsIn(shape.contentSchema, resolve);
    if (shape.items) return objectsIn(shape.items, resolve);
    const values = typeof shape.additionalProperties === 'object' ? objectsIn(shape.additionalProperties, resolve) : [];
    return shape.properties ? [shape] : values;
  });
}

function keyOf(name, schema, isRequired, resolve, action) {
  const { description, readOnly } = { ...resolve(schema), ...schema };
  const limits = limitText(schema, resolve);
  const options = optionsOf(schema, resolve);
  const more = objectsIn(schema, resolve).length > 0 && unfolding(schema, resolve);
  return el(
    'li',
    {},
    el(
      'div',
      { class: 'key' },
      el('code', { class: 'name' }, name),
      el('span', { class: 'hint' }, typeText(schema, resolve), limits && `, ${limits}`),
      isRequired && el('span', { class: 'flag' }, 'required'),
      readOnly && el('span', { class: 'flag' }, 'read only'),
      action?.(name),
    ),
    description && !isSaidBy(name, description) && el('p', {}, inline(description)),
    options.length > 1 &&
      el(
        'p',
        { class: 'options' },
        options.map((option) => el('code', {}, String(option))),
      ),
    more,
  );
}

/** Whether the label only repeats the name. */
function isSaidBy(name, description) {
  return description.toLowerCase() === name.replaceAll('_', ' ');
}

/** Nested keys, created when unfolded: filter groups contain filter groups. */
function unfolding(schema, resolve) {
  const details = el('details', {}, el('summary', {}, 'Keys'));
  details.addEventListener('toggle', () => details.append(keysOf(schema, resolve) ?? ''), { once: true });
  return details;
}
