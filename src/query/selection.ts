/** The shape of a record: the selected columns, and the writers of JSON and CSV from their text. */
import { errors } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import type { Member, ReadScope, Reading } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import type { LongText } from '../lib/long-text.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Row } from '../postgres/database.ts';
import { bytesOfSql, sql, type Sql } from '../postgres/sql.ts';
import { attributeFor, partsOf, unknownField, visibleAttributes } from './attributes.ts';
import { Budget } from './budget.ts';
import type { QueryContext } from './context.ts';
import { sizeOfReadingBeyond } from './measure.ts';
import { joiningReadScope, readScope } from './read-scope.ts';
import { relatedObject, tableOf, type ObjectScope } from './row-scope.ts';
import { stateTag } from './state-tag.ts';
import { noRelation, oneRelation } from './subject.ts';
import { timelessMemory, watch, type Watch } from './timeless.ts';
import { visibleRow } from './where.ts';

/** `read` shows ids with their labels; `detail` adds what only a single record shows; `export` shows labels only. */
export type SelectionMode = 'read' | 'detail' | 'export';

export interface Selection {
  readonly columns: readonly Sql[];
  /** Joins that the columns need, behind the row in the FROM clause: of one row each. */
  readonly joins: readonly Sql[];
  /** Whether each column holds text, which may be long. */
  readonly isText: readonly boolean[];
  /** Indexes of stored texts, which may be pages long. Undefined where other columns may be as long. */
  readonly long: readonly number[] | undefined;
  /** Maximum bytes of all other columns. */
  readonly widest: number;
  /** Bytes of a record's JSON beside its values. */
  readonly overhead: number;
  /** The keys of a record, in order. */
  readonly keys: readonly string[];
  /** The keys with numbers. */
  readonly numbers: ReadonlySet<string>;
  /**
   * Ids of the objects whose rows it reads beyond the record: while their versions and the record stay, so does its
   * text. Undefined where the text depends on the time.
   */
  readonly reads: ReadonlySet<string> | undefined;
  /**
   * Whether it reads rows of the object's own table: within the statement that writes the record, it sees them before
   * the write.
   */
  readonly looksBack: boolean;
  /** A record as JSON text; its columns begin at `at`. */
  json(row: Row, at: number): string;
  /** The record as JSON in slices: it may be megabytes of text. */
  jsonInSlices(row: Row, at: number): Promise<LongText>;
  /** The tag of the record's state (`state-tag.ts`); null where only some fields were requested. */
  tag(row: Row, at: number): Promise<string | null>;
  /** A record as CSV cells, one per key. */
  cells(row: Row, at: number): string[];
}

const compiled = timelessMemory<Selection>('selections');

/**
 * The fields of `object` that the caller may see, on the row `alias`. `fields` restricts them (`id` is kept) and may
 * follow a relation (`company_id.name`). Throws INVALID_FIELD, and VALIDATION_ERROR when the budget is exceeded.
 */
export function selectRecord(
  object: ObjectDef,
  context: QueryContext,
  alias: string,
  mode: SelectionMode,
  fields?: readonly string[],
  budget = new Budget(),
): Selection {
  if (fields) {
    const watching = watch(context);
    const { scope, joins } = scopeFor(mode, watching.watched, object, alias);
    scope.reads.clear();
    const selection = selectionOf(readingsOfNames(scope, mode, fields, budget));
    return { ...selection, joins, looksBack: true, reads: readsOf(scope, watching) };
  }
  const name = `${mode} ${alias}`;
  const found = compiled.recall(context, object, name);
  if (found) return found;
  const watching = watch(context);
  const { scope, joins } = scopeFor(mode, watching.watched, object, alias);
  scope.reads.clear(); // filled again by whatever reads other rows
  const attributes = visibleAttributes(object, context.visibility).filter((field) => isShown(field, mode));
  const readings = attributes.map((field) => readingOf(field, scope, mode));
  const looksBack = scope.reads.has(object.id);
  const reads = readsOf(scope, watching);
  const selection = { ...selectionOf(readings), joins, tag: stateTag(attributes, readings), looksBack, reads };
  compiled.remember(context, object, name, selection, bytesOfSelection(selection), watching);
  return selection;
}

function readsOf({ reads }: ObjectScope, { lookedAtTime }: Watch): ReadonlySet<string> | undefined {
  return lookedAtTime() ? undefined : reads;
}

/** Measured: half a kilobyte per key for its reader and writer, beside the SQL. */
export function bytesOfSelection({ keys, columns, joins }: Selection): number {
  return 700 * keys.length + [...columns, ...joins].reduce((sum, part) => sum + bytesOfSql(part), 0);
}

function scopeFor(mode: SelectionMode, context: QueryContext, object: ObjectDef, alias: string) {
  if (mode === 'export') return joiningReadScope(context, object, alias);
  return { scope: readScope(context, object, alias), joins: [] };
}

function isShown(field: FieldDef, mode: SelectionMode): boolean {
  return mode === 'detail' || !fieldType(field.type).detailOnly?.(field);
}

function shownField(object: ObjectDef, name: string, context: QueryContext, mode: SelectionMode): FieldDef {
  if (name === '*') throw errors.noFieldName('fields takes names: leave it out to get all of them');
  const field = attributeFor(object, name, context.visibility);
  if (isShown(field, mode)) return field;
  throw errors.validation(`${name} is shown with a single record only`);
}

function readingOf(field: FieldDef, scope: ReadScope, mode: SelectionMode): Reading {
  const type = fieldType(field.type);
  return (mode === 'export' && type.exported?.(field, scope)) || type.read(field, scope);
}

function readingsOfNames(
  scope: ObjectScope & ReadScope,
  mode: SelectionMode,
  names: readonly string[],
  budget: Budget,
): Reading[] {
  const { context, object } = scope;
  const wanted = new Set(mode === 'export' ? names : ['id', ...names]);
  return [...wanted].flatMap((name) => {
    const dot = name.indexOf('.');
    if (dot >= 0) return [readingBeyond(scope, name.slice(0, dot), name.slice(dot + 1), mode, budget)];
    const parts = partsOf(object, name).filter((part) => context.visibility.shows(object.name, part.name));
    const attributes = parts.length > 0 ? parts.map((part) => part.name) : [name];
    return attributes.map((attribute) => readingOf(shownField(object, attribute, context, mode), scope, mode));
  });
}

/** A field of the related record; null where the caller may not see that record. */
function readingBeyond(
  scope: ObjectScope,
  relation: string,
  path: string,
  mode: SelectionMode,
  budget: Budget,
): Reading {
  const { context, object } = scope;
  if (path.includes('.')) throw pathError(`${relation}.${path}`, scope, oneRelation);
  const field = attributeFor(object, relation, context.visibility);
  const target =
    field.relationConfig?.relationType === 'BELONGS_TO_ONE' ? relatedObject(context.model, field) : undefined;
  if (!target || context.visibility.rows(target.name) === 'none') {
    throw pathError(`${relation}.${path}`, scope, field.relationConfig ? '' : noRelation(relation));
  }
  const there = readScope(context, target, `${scope.alias}_x`, scope.reads);
  const shown = shownField(target, path, context, mode);
  budget.spend(`${relation}.${path}`, sizeOfReadingBeyond(context.model, target, shown), context.visibility);
  const inner = readingOf(shown, there, mode);
  const from = sql`from ${tableOf(context.model, target.table)} ${there.row}
    where ${there.row}.id = ${scope.operand(relation).value} and ${visibleRow(there)}`;
  return {
    columns: inner.columns.map((column) => sql`(select ${column} ${from})`),
    members: inner.members.map((member) => renamed(member, `${relation}.${member.key}`)),
  };
}

function pathError(path: string, { object, context }: ObjectScope, reason?: string) {
  const names = visibleAttributes(object, context.visibility).map((attribute) => attribute.name);
  return unknownField(path, object, names, reason);
}

function renamed(member: Member, key: string): Member {
  return { ...member, key };
}

/** Bytes of ten thousand characters. */
const mostBytesOfText = 40_000;

/** More than a number, a day or an id needs. */
const fewBytes = 1_000;

/** Shorter values are serialized without yielding. */
const longText = 10_000;

/** Builds a selection from readings, in order. */
export function selectionOf(readings: readonly Reading[]): Omit<Selection, 'looksBack' | 'joins' | 'reads'> {
  const columns: Sql[] = [];
  const isText: boolean[] = [];
  const long: number[] = [];
  let isBounded = true;
  const parts: { key: string; opening: string; offset: number; member: Member }[] = [];
  for (const reading of readings) {
    for (const member of reading.members) {
      const opening = `${parts.length === 0 ? '{' : ','}${JSON.stringify(member.key)}:`;
      parts.push({ key: member.key, opening, offset: columns.length, member });
    }
    const hasText = reading.members.some(({ mostBytes = mostBytesOfText }) => mostBytes > fewBytes);
    if (reading.members.some(({ mostBytes }) => mostBytes === Infinity)) {
      if (reading.isStored) long.push(columns.length);
      else isBounded = false;
    }
    for (const column of reading.columns) {
      columns.push(column);
      isText.push(hasText);
    }
  }
  return {
    columns,
    isText,
    long: isBounded ? long : undefined,
    widest: parts.reduce(
      (sum, { member: { mostBytes = mostBytesOfText } }) => sum + (mostBytes < Infinity ? mostBytes : 0),
      0,
    ),
    overhead: parts.reduce((sum, { opening }) => sum + opening.length, 2),
    keys: parts.map((part) => part.key),
    numbers: new Set(parts.flatMap(({ key, member }) => (member.isNumber ? [key] : []))),
    json(row, at) {
      if (parts.length === 0) return '{}';
      let text = '';
      for (const part of parts) text += part.opening + part.member.json(row, at + part.offset);
      return `${text}}`;
    },
    async jsonInSlices(row, at) {
      if (parts.length === 0) return '{}';
      const long: string[] = [];
      let text = '';
      for (const part of parts) {
        const value = part.member.json(row, at + part.offset);
        text += part.opening;
        if (value.length > longText) {
          long.push(text, value);
          text = '';
          if (sliceIsOver()) await nextSlice();
        } else text += value;
      }
      return long.length === 0 ? `${text}}` : [...long, `${text}}`];
    },
    tag: () => Promise.resolve(null),
    cells: (row, at) => parts.map((part) => part.member.cell(row, at + part.offset)),
  };
}
