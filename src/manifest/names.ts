/** Names of objects and fields: they become tables, columns and keys of records. */

const longest = 48;

/** Reserved for paths and built-in objects. */
const objectNames: ReadonlySet<string> = new Set([
  'tasks',
  'notes',
  'users',
  'lists',
  'batch',
  'events',
  'notifications',
  'dashboards',
  'threads',
  'interactions',
]);

/** Reserved: columns of every table, PostgreSQL's system columns, and keys of records and writes besides fields. */
const fieldNames: ReadonlySet<string> = new Set([
  'id',
  'created_at',
  'updated_at',
  'deleted_at',
  'search_text',
  'search_parts',
  'pipeline_id',
  'pipeline_step_id',
  'pipeline_step_entered_at',
  'add_to_list_ids',
  'create_list_name',
  'lists',
  'created_list',
  'tableoid',
  'xmin',
  'cmin',
  'xmax',
  'cmax',
  'ctid',
  // Keys of every JavaScript object.
  'constructor',
  'prototype',
]);

/** Reserved: columns and keys of links. */
const junctionNames: ReadonlySet<string> = new Set([...fieldNames, 'display', 'source_id', 'target_id', 'position']);

/** The problem of an object's name, as `must …`; undefined if it is valid. */
export function objectNameProblem(name: string): string | undefined {
  return problemOf(name, objectNames) ?? problemOf(name, fieldNames);
}

/** The problem of a field's name; undefined if it is valid. */
export function fieldNameProblem(name: string): string | undefined {
  return problemOf(name, fieldNames);
}

/** The problem of a junction field's name; undefined if it is valid. */
export function junctionNameProblem(name: string): string | undefined {
  return problemOf(name, junctionNames);
}

function problemOf(name: string, reserved: ReadonlySet<string>): string | undefined {
  if (name.length > longest) return `must have at most ${longest} characters`;
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    return `must begin with a lower-case letter and have only a-z, 0-9 and _${such(name)}`;
  if (name.includes('__')) return 'must not have two underscores in a row';
  return reserved.has(name) ? `must be another name: "${name}" is taken by Kith itself` : undefined;
}

/** The problem of the name of a pipeline, step or role, which people type; undefined if it is valid. */
export function titleProblem(name: string): string | undefined {
  return name === name.trim() ? undefined : 'must not begin or end with a space';
}

/** The label of a name: `close_date` as `Close date`. */
export function labelFor(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The singular: `Companies` as `Company`, `Projects` as `Project`; unchanged if it is no English plural. */
export function singularOf(label: string): string {
  if (/ies$/i.test(label)) return `${label.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/i.test(label)) return label;
  if (/(?:sh|ch|x|ss|z)es$/i.test(label)) return label.slice(0, -2);
  return /s$/i.test(label) ? label.slice(0, -1) : label;
}

/** The nearest valid name, as the end of a sentence. */
function such(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
  const plain = words.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^[_0-9]+|_+$/g, '');
  return plain === '' || plain.length > longest ? '' : `, such as ${plain}`;
}
