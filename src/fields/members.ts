/** Turns a column's text into a key of a record: JSON text and CSV cell, straight from the wire. */
import { jsonString } from '../lib/json.ts';
import type { Row } from '../postgres/database.ts';
import type { Sql } from '../postgres/sql.ts';
import { displaysIn, joinValues } from './cell-text.ts';
import type { Member, Reading } from './field-type.ts';

type Writer = (text: string) => string;

const asIs: Writer = (text) => text;

/** Bytes of values that are no free text. */
const fewBytes = 1_000;

/** A member over the reading's column at `offset`; null is `null` in JSON and an empty cell. */
export function member(key: string, json: Writer, cell: Writer = asIs, offset = 0): Member {
  return {
    key,
    json(row, at) {
      const text = row[at + offset];
      return text === null || text === undefined ? 'null' : json(text);
    },
    cell(row, at) {
      const text = row[at + offset];
      return text === null || text === undefined ? '' : cell(text);
    },
  };
}

/** The reading of one column under one key. */
export function reading(column: Sql, only: Member): Reading {
  return { columns: [column], members: [only] };
}

/** Keys computed together from several columns, once per row; the function gets the columns' texts. */
export function derivedReading<const Key extends string>(
  columns: readonly Sql[],
  keys: readonly Key[],
  derive: (cells: Row) => Readonly<Record<Key, unknown>>,
): Reading {
  const known = new WeakMap<Row, Readonly<Record<Key, unknown>>>();
  const members = keys.map((key): Member => {
    const json = (row: Row, at: number) => {
      const found = known.get(row) ?? derive(row.slice(at, at + columns.length));
      known.set(row, found);
      return JSON.stringify(found[key]);
    };
    return { key, json, cell: json, mostBytes: Infinity };
  });
  return { columns, members };
}

/** A text member; `offset` counts from the value's first column. */
export function textMember(key: string, offset = 0): Member {
  return member(key, jsonString, asIs, offset);
}

/** The reading of a stored text that may be pages long. */
export function longTextReading(column: Sql, key: string): Reading {
  return { columns: [column], members: [{ ...textMember(key), mostBytes: Infinity }], isStored: true };
}

/** For text that needs no escaping: uuid and date. */
export function quotedMember(key: string): Member {
  return { ...member(key, (text) => `"${text}"`), mostBytes: fewBytes };
}

/** Digits are passed through, so that none is lost. */
export function numberMember(key: string): Member {
  return { ...member(key, asIs), mostBytes: fewBytes, isNumber: true };
}

/** A boolean member. */
export function booleanMember(key: string): Member {
  return { ...member(key, booleanText, booleanText), mostBytes: fewBytes };
}

/** A member for an instant, shown in UTC. */
export function datetimeMember(key: string): Member {
  return { ...member(key, (text) => `"${utc(text)}"`, utc), mostBytes: fewBytes };
}

/** A member over a column with a JSON list of records and their labels. */
export function recordsMember(key: string): Member {
  return {
    key,
    mostBytes: Infinity,
    json: (row, at) => row[at] ?? '[]',
    cell: (row, at) => joinValues(displaysIn(row[at] ?? '[]')),
  };
}

function booleanText(text: string): string {
  return text === 't' ? 'true' : 'false';
}

/** Converts `2026-01-02 03:04:05.6+00` to `2026-01-02T03:04:05.600Z`; microseconds only where there are any. */
export function utc(text: string): string {
  const fraction = text.indexOf('.') < 0 ? '' : text.slice(20, text.indexOf('+'));
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}
