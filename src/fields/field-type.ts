/**
 * Everything Kith knows about a type of field is one `FieldType`, and nothing outside this folder branches on a type.
 * `registry.ts` lists them; `test/fields` holds each to the same conformance suite.
 */
import type { Json } from '../lib/json.ts';
import type { Cell, Row } from '../postgres/database.ts';
import type { Sql } from '../postgres/sql.ts';
import type { FieldDef, FieldTypeName } from './field-def.ts';
import type { Operand, OperatorSet } from './operators/operator.ts';

/** A stored column: its name and its type in DDL. */
export interface Column {
  readonly name: string;
  /** For example `text collate "C"`; also what a bound cell is cast to, without the collation. */
  readonly type: string;
}

/** One key of a record. `at` is where the reading's columns begin in the row. */
export interface Member {
  readonly key: string;
  /** The value as JSON text, made from the database's text without an object between. */
  json(row: Row, at: number): string;
  /** The value as a CSV cell. [spec: Export] */
  cell(row: Row, at: number): string;
}

/** What a record shows of a field: columns to select, and the keys that they become. */
export interface Reading {
  readonly columns: readonly Sql[];
  readonly members: readonly Member[];
}

/** The row that a fragment speaks of, by its alias. */
export interface RowScope {
  readonly row: Sql;
  /** The operand of another field of the same object: CALCULATED fields are made of these. */
  operand(fieldName: string): Operand;
  /** The ids that a MANY_TO_MANY links to: a uuid[] expression, empty where there are none. */
  linkedIds(field: FieldDef): Sql;
}

/** A row scope that can also look beyond the row, under the caller's policy. */
export interface ReadScope extends RowScope {
  /** The label of a record, or null where it is in the trash, not visible or none. `id` is an expression of the row. */
  display(objectName: string, id: Sql): Sql;
  /** The name of a workspace user. */
  userDisplay(id: Sql): Sql;
  /** JSON array text of a MANY_TO_MANY: `[{ id, display, …junction fields }]`, or null. */
  links(field: FieldDef): Sql;
  readonly pipelines: readonly PipelineDef[];
}

export interface PipelineDef {
  readonly id: string;
  readonly name: string;
  readonly objectName: string;
  readonly isDefault: boolean;
  /** By `order_index`. */
  readonly steps: readonly PipelineStepDef[];
}

export interface PipelineStepDef {
  readonly id: string;
  readonly name: string;
  readonly order_index: number;
  readonly kind: 'ongoing' | 'won' | 'lost';
}

/** What a written value may lean on. */
export interface DecodeContext {
  /** The organization's currency: what a bare amount means. */
  readonly currency: string;
  /** IANA name: what a time without an offset means. */
  readonly timeZone: string;
  /** Pipelines of the object that is written. */
  readonly pipelines: readonly PipelineDef[];
}

export { FieldProblem } from './field-problem.ts';

/** A link of a MANY_TO_MANY as it was written; `junction` holds the cells of its junction fields, field by field. */
export interface Link {
  /** A record's id, in lower case. */
  readonly target: string;
  readonly junction: readonly Cell[];
}

export interface FieldType {
  readonly names: readonly FieldTypeName[];

  /** Fields that stand for this one in storage, filters and writes (PIPELINE); the field itself then stores nothing. */
  parts?(field: FieldDef): readonly FieldDef[];

  /** Storage in the object's table; empty for what is computed or lies in another table. */
  columns(field: FieldDef): readonly Column[];

  /** What get, list, create and update show. */
  read(field: FieldDef, scope: ReadScope): Reading;

  /** What an export shows, where that differs: ids as display values. */
  exported?(field: FieldDef, scope: ReadScope): Reading;

  /** What filters and sorts see of it. */
  operand(field: FieldDef, scope: RowScope): Operand;

  /** What filters can do with it. */
  readonly operators: OperatorSet;

  /** A JSON value as cells, one per column, each castable to its column's type; null clears. Throws FieldProblem. */
  decode(value: Json, field: FieldDef, context: DecodeContext): readonly Cell[];

  /** A CSV cell, or text where another type is expected, as the JSON value that `decode` takes. Throws FieldProblem. */
  fromCell(text: string, field: FieldDef): Json;

  /** Text that a search finds this value by. Only types that can be searchable have it. */
  searchText?(cells: readonly Cell[]): string;

  /** Whose id the cell is: a record of that object, or a workspace user. Written ids must exist. */
  target?(field: FieldDef): { readonly object: string } | 'user';

  /** MANY_TO_MANY: the links that a value asks for. Throws FieldProblem. */
  links?(value: Json, field: FieldDef, context: DecodeContext): readonly Link[];
}
