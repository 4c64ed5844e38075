/**
 * Everything Kith knows about a type of field is one `FieldType`, and nothing outside this folder branches on a type.
 * `registry.ts` lists them; `test/fields` holds each to the same conformance suite.
 */
import type { Json } from '../lib/json.ts';
import type { Cell, Row } from '../postgres/database.ts';
import type { Sql } from '../postgres/sql.ts';
import type { AggregateSet } from './aggregates.ts';
import type { FieldDef, FieldTypeName, RelationType } from './field-def.ts';
import type { FieldSchema } from './json-schema.ts';
import type { FilterContext, Operand, OperatorSet } from './operators/operator.ts';

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
  /** Bytes that its columns have at most; as many as those of a TEXT unless told. */
  readonly mostBytes?: number;
  /** Whether the cell is a number, or empty. */
  readonly isNumber?: true;
}

/** What a record shows of a field: columns to select, and the keys that they become. */
export interface Reading {
  readonly columns: readonly Sql[];
  readonly members: readonly Member[];
  /** Whether it is one column of the row as it is stored. */
  readonly isStored?: true;
}

/** What values are amounts of, where that may differ from row to row. */
export interface Unit {
  /** The same for the same unit of a row. */
  readonly key: string;
  /** The currency, or several as `EUR+USD`; null for a row that has none. */
  readonly code: Sql;
}

/** The row that a fragment speaks of, by its alias. */
export interface RowScope {
  readonly row: Sql;
  /** The operand of another field of the same object: CALCULATED fields are made of these. */
  operand(fieldName: string): Operand;
  /** What the values of another field are amounts of. */
  units(fieldName: string): readonly Unit[];
  /** The ids that a MANY_TO_MANY links to: a uuid[] expression, empty where there are none. */
  linkedIds(field: FieldDef): Sql;
  /** What a ROLLUP makes of the records that lead to the row. */
  rollup(field: FieldDef): Operand;
  /** What the outcome of a ROLLUP is an amount of. */
  rollupUnits(field: FieldDef): readonly Unit[];
  /** The query's time and the organization's zone, not the request's: a computed value is the same for everybody. */
  readonly clock: FilterContext;
}

/** A row scope that can also look beyond the row, under the caller's policy. */
export interface ReadScope extends RowScope {
  /** The label of a record, or null where it is in the trash, not visible or none. `id` is an expression of the row. */
  display(objectName: string, id: Sql): Sql;
  /** The name of a workspace user. */
  userDisplay(id: Sql): Sql;
  /** JSON array text of a MANY_TO_MANY: `[{ id, display, …junction fields }]`, or null. */
  links(field: FieldDef): Sql;
  /** JSON array text of a HAS_MANY: `[{ id, display }]`, the newest 100 that the caller may see, or null. */
  related(field: FieldDef): Sql;
  readonly pipelines: readonly PipelineDef[];
}

export interface Place {
  readonly id: string;
  readonly name: string;
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
  /** What is asked of a record at this step. */
  readonly questions: readonly StepQuestion[];
  /** What fields are set to when a record comes to this step, by the fields' names. */
  readonly forcedValues: Readonly<Record<string, Json>>;
  /** The same for fields that are empty then. */
  readonly defaultValues: Readonly<Record<string, Json>>;
}

/** A field that a step asks for. The names are the interface's own. [spec: Record in a pipeline] */
export interface StepQuestion {
  readonly linked_field_name: string;
  readonly required_for_next_stage: boolean;
  readonly required_for_closure: boolean;
  readonly is_forced_value: boolean;
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

/** For whom a value is decoded. */
export interface Asker {
  readonly organizationId: string;
  /** Aborted when the request is over. */
  readonly signal: AbortSignal;
}

export { FieldProblem } from './field-problem.ts';

/** A link of a MANY_TO_MANY as it was written; `junction` holds the cells of its junction fields, field by field. */
export interface Link {
  /** A record's id, in lower case. */
  readonly target: string;
  readonly junction: readonly Cell[];
}

/** Whose id a type's first cell is: a workspace user's, a record's of one object, or of that of `objects` which the second cell names. */
export type Target = 'user' | { readonly object: string } | { readonly objects: readonly string[] };

/** As much of a field as a manifest declares before it has an id. */
export type DeclaredField = Pick<FieldDef, 'type' | 'relationConfig'>;

/** A text or a day within a value. */
export interface Within {
  readonly type: 'TEXT' | 'DATE';
  /** Texts must be of collation "C". */
  readonly value: Sql;
  /** Of a value that is a set: a `from` with a row for each of its members, of which `value` is. */
  readonly each?: Sql;
}

export interface FieldType {
  readonly names: readonly FieldTypeName[];

  /** A field of this type can be unique: its first column, or each of the values in it, is a key. */
  readonly mayBeUnique?: true;

  /** A field of this type is declared with `options`. */
  readonly takesOptions?: true;

  /** A field of this type is declared with a `relationConfig` of one of these. */
  readonly relationTypes?: readonly RelationType[];

  /** Whether the field is made of other values: it stores nothing and is never written, required or unique. */
  isComputed?(field: DeclaredField): boolean;

  /** Whether the field is shown with a single record only, not in lists and exports. */
  detailOnly?(field: DeclaredField): boolean;

  /** Fields that stand for this one in storage, filters and writes (PIPELINE); the field itself then stores nothing. */
  parts?(field: FieldDef): readonly FieldDef[];

  /** Storage in the object's table; empty for what is computed or lies in another table. */
  columns(field: FieldDef): readonly Column[];

  /** What get, list, create and update show. Stored columns come first, in their order; the first key is the field's name. */
  read(field: FieldDef, scope: ReadScope): Reading;

  /** What an export shows, where that differs: ids as display values. */
  exported?(field: FieldDef, scope: ReadScope): Reading;

  /** What is read of it and what may be written, as JSON Schema. */
  schema(field: FieldDef): FieldSchema;

  /** What filters and sorts see of it. */
  operand(field: FieldDef, scope: RowScope): Operand;

  /** What lies within a value and can be named behind it (`address.city`), by its name. */
  within?(field: FieldDef, scope: RowScope): Readonly<Record<string, Within>>;

  /** What filters can do with it. */
  readonly operators: OperatorSet;

  /** The functions over its values. */
  readonly aggregates: AggregateSet;

  /** Values may be pages long: they are no keys of groups. */
  readonly isLong?: true;

  /** Values are HTML, which takes time to be cleaned: one request has only so much of it. */
  readonly isHtml?: true;

  /** Present where filters can't say it: the condition that the row has no value. */
  absent?(field: FieldDef, scope: ReadScope): Sql | undefined;

  /** What a value is an amount of, where that may differ from row to row (CURRENCY, and what is made of it). */
  units?(field: FieldDef, scope: RowScope): readonly Unit[];

  /** What a value is the id of, where the model has all of them (pipelines and their steps), in their order. */
  places?(pipelines: readonly PipelineDef[]): readonly Place[];

  /** A JSON value as cells, one per column, each castable to its column's type; null clears. Throws FieldProblem. */
  decode(value: Json, field: FieldDef, context: DecodeContext): readonly Cell[];

  /** The same beside the event loop, for a value that would hold it for long; undefined for any other. Rejects with FieldProblem. */
  decodeAside?(value: Json, field: FieldDef, asker: Asker): Promise<readonly Cell[]> | undefined;

  /** A CSV cell, or text where another type is expected, as the JSON value that `decode` takes. Throws FieldProblem. */
  fromCell(text: string, field: FieldDef): Json;

  /** Text that a search finds this value by. Only types that can be searchable have it. */
  searchText?(cells: readonly Cell[]): string;

  /** Where a value is a set (EMAILS, PHONES): what no two records may share when the field is unique; in `_unique_values`, not in an index. */
  uniqueValues?(cells: readonly Cell[]): readonly string[];

  /** Present where the first cell is an id; written ids must exist. */
  target?(field: FieldDef): Target | undefined;

  /** MANY_TO_MANY: the links that a value asks for, read in slices. Rejects with FieldProblem. */
  links?(value: Json, field: FieldDef, context: DecodeContext): Promise<readonly Link[]>;
}
