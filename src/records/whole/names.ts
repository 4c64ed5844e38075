/** Names in files for things whose ids differ by installation: people by address, pipelines and steps by name. */
import type { Call } from '../../access/call.ts';
import { fieldType } from '../../fields/registry.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { PipelineDef } from '../../fields/field-type.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Rows } from '../../postgres/database.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import { pipelineFields } from '../writing/pipeline-fields.ts';

/** The people of the organization. */
export interface People {
  readonly addresses: ReadonlyMap<string, string>;
  /** By address in lower case. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Reads the people with `run`. */
export async function peopleOf(call: Call, run: (query: Sql) => Promise<Rows | undefined>): Promise<People> {
  const found = await run(sql`select u.id, u.email from ${call.workspace.table('_users')} u`);
  const rows = (found?.rows ?? []).map(([id, email]) => [id ?? '', email ?? ''] as const);
  return { addresses: new Map(rows), ids: new Map(rows.map(([id, email]) => [email.toLowerCase(), id])) };
}

/** The names used in the values of one object. */
export interface Naming {
  readonly object: ObjectDef;
  readonly pipelines: readonly PipelineDef[];
  readonly people: People;
}

/** The names for this object. */
export function namingOf({ model }: Call, object: ObjectDef, people: People): Naming {
  return { object, people, pipelines: model.pipelines.filter(({ objectName }) => objectName === object.name) };
}

/** Whether the field's values are people. */
export function isPerson(field: FieldDef): boolean {
  return fieldType(field.type).target?.(field) === 'user';
}

/** Converts a value from its read form to that of a file. */
export function named(field: FieldDef, value: Json, naming: Naming): Json {
  const type = fieldType(field.type);
  if (type.links) return Array.isArray(value) ? value.map((link) => namedLink(field, link, naming.people)) : [];
  if (typeof value !== 'string') return value;
  if (isPerson(field)) return naming.people.addresses.get(value) ?? null;
  if (!type.pipelineOptions) return value;
  return type.pipelineOptions(naming.pipelines).find(({ id }) => id === value)?.name ?? null;
}

/** A link keeps its junction values, and drops the label of its target. */
function namedLink({ junctionFields = [] }: FieldDef, link: Json, people: People): Json {
  if (!isObject(link)) return link;
  const own = junctionFields.map((part): [string, Json] => {
    const value = link[part.name] ?? null;
    return [part.name, isPerson(part) && typeof value === 'string' ? (people.addresses.get(value) ?? null) : value];
  });
  return junctionFields.length === 0 ? (link['id'] ?? null) : { id: link['id'] ?? null, ...Object.fromEntries(own) };
}

/**
 * Converts a value from a file for a write. `line` has the other values of the record: a step belongs to its
 * pipeline.
 */
export function known(field: FieldDef, value: Json, line: JsonObject, naming: Naming): Json {
  const type = fieldType(field.type);
  if (type.links) return Array.isArray(value) ? value.map((link) => knownLink(field, link, naming.people)) : value;
  if (typeof value !== 'string') return value;
  if (isPerson(field)) return naming.people.ids.get(value.toLowerCase()) ?? null;
  if (!type.pipelineOptions) return value;
  const parts = pipelineFields(naming.object);
  const pipeline = naming.pipelines.find(({ name }) => parts !== undefined && name === line[parts.pipeline.name]);
  const places = type.pipelineOptions(field === parts?.step && pipeline ? [pipeline] : naming.pipelines);
  return places.find(({ name }) => name === value)?.id ?? value;
}

function knownLink({ junctionFields = [] }: FieldDef, link: Json, people: People): Json {
  if (!isObject(link)) return link;
  const persons = junctionFields.filter(isPerson).map(({ name }): [string, Json] => {
    const value = link[name];
    return [name, typeof value === 'string' ? (people.ids.get(value.toLowerCase()) ?? null) : null];
  });
  return { ...link, ...Object.fromEntries(persons) };
}
