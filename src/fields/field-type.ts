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

/** A stored column: its name and DDL type. */
export interface Column {
  readonly name: string;
  /** For example `text collate "C"`; without the collation, also the cast of bound cells. */
  readonly type: string;
}

/** One key of a record. `at` is where the reading's columns begin in the row. */
export interface Member {
  readonly key: string;
  /** The value as JSON text, built directly from the database's text. */
  json(row: Row, at: number): string;
  /** The value as a CSV cell. [spec: Export] */
  cell(row: Row, at: number): string;
  /** Maximum bytes of its columns; defaults to those of a TEXT. */
  readonly mostBytes?: number;
  /** Whether the cell is a number, or empty. */
  readonly isNumber?: true;
}

/** The columns to select for a field, and the keys that they become. */
export interface Reading {
  readonly columns: readonly Sql[];
  readonly members: readonly Member[];
  /** Whether it is a single stored column of the row. */
  readonly isStored?: true;
}

/** The unit of values, where it may differ by row. */
export interface Unit {
  /** Equal for equal units of a row. */
  readonly key: string;
  /** The currency, or several as `EUR+USD`; null for a row without one. */
  readonly code: Sql;
}

/** A row that SQL refers to by its alias. */
export interface RowScope {
  readonly row: Sql;
  /** The operand of another field of the same object, as used in CALCULATED fields. */
  operand(fieldName: string): Operand;
  /** The units of another field's values. */
  units(fieldName: string): readonly Unit[];
  /** The target ids of a MANY_TO_MANY: a uuid[] expression, possibly empty. */
  linkedIds(field: FieldDef): Sql;
  /** The operand of a ROLLUP over the records that lead to the row. */
  rollup(field: FieldDef): Operand;
  /** The units of a ROLLUP's result. */
  rollupUnits(field: FieldDef): readonly Unit[];
  /**
   * The query's time and the organization's time zone, not the request's: a computed value is the same for everybody.
   */
  readonly clock: FilterContext;
}

/** A row scope that can also read related rows, under the caller's policy. */
export interface ReadScope extends RowScope {
  /** The label of a record, or null where it is trashed, not visible or missing. `id` is an expression of the row. */
  display(objectName: string, id: Sql): Sql;
  /** The name of a workspace user. */
  userDisplay(id: Sql): Sql;
  /** JSON array text of a MANY_TO_MANY: `[{ id, display, …junction fields }]`, or null. */
  links(field: FieldDef): Sql;
  /** JSON array text of a HAS_MANY: `[{ id, display }]`, the newest 100 that the caller may see, or null. */
  related(field: FieldDef): Sql;
  readonly pipelines: readonly PipelineDef[];
}

/** A pipeline or a step, as a value of PIPELINE_ID or PIPELINE_STEP_ID names it. */
export interface PipelineOption {
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
  /** The fields that the step asks for. */
  readonly questions: readonly StepQuestion[];
  /** Values set when a record enters the step, by field name. */
  readonly forcedValues: Readonly<Record<string, Json>>;
  /** Values set in empty fields when a record enters the step, by field name. */
  readonly defaultValues: Readonly<Record<string, Json>>;
}

/** A field that a step asks for; the names are the API's. [spec: Record in a pipeline] */
export interface StepQuestion {
  readonly linked_field_name: string;
  readonly required_for_next_stage: boolean;
  readonly required_for_closure: boolean;
  readonly is_forced_value: boolean;
}

/** The context of decoding a value. */
export interface DecodeContext {
  /** The organization's currency, for amounts without one. */
  readonly currency: string;
  /** IANA time zone, for times without an offset. */
  readonly timeZone: string;
  /** The pipelines of the written object. */
  readonly pipelines: readonly PipelineDef[];
}

/** The requester of a decoding job. */
export interface Asker {
  readonly organizationId: string;
  /** Aborted at the end of the request. */
  readonly signal: AbortSignal;
}

export { FieldProblem } from './field-problem.ts';

/** A link of a MANY_TO_MANY as written; `junction` has the cells of its junction fields in order. */
export interface Link {
  /** A record id in lower case. */
  readonly target: string;
  readonly junction: readonly Cell[];
}

/**
 * The kind of id in a type's first cell: a workspace user's, a record's of one object, or of the one among `objects`
 * that the second cell names.
 */
export type Target = 'user' | { readonly object: string } | { readonly objects: readonly string[] };

/** The parts of a field that a manifest declares before it has an id. */
export type DeclaredField = Pick<FieldDef, 'type' | 'relationConfig'>;

/** A text or a day inside a value. */
export interface Within {
  readonly type: 'TEXT' | 'DATE';
  /** Texts must have collation "C". */
  readonly value: Sql;
  /** For a set: a `from` with a row per member, which `value` refers to. */
  readonly each?: Sql;
}

export interface FieldType {
  readonly names: readonly FieldTypeName[];

  /** Set if fields can be unique: the first column, or each of its values, is a key. */
  readonly mayBeUnique?: true;

  /** Set if fields are declared with `options`. */
  readonly takesOptions?: true;

  /** Set if fields are declared with a `relationConfig` of one of these types. */
  readonly relationTypes?: readonly RelationType[];

  /** Whether the field is computed: not stored, and never written, required or unique. */
  isComputed?(field: DeclaredField): boolean;

  /** Whether the field is shown with single records only, not in lists and exports. */
  detailOnly?(field: DeclaredField): boolean;

  /**
   * The fields that represent this one in storage, filters and writes (PIPELINE); the field itself then stores
   * nothing.
   */
  parts?(field: FieldDef): readonly FieldDef[];

  /** Columns in the object's table; empty for computed values and those stored in another table. */
  columns(field: FieldDef): readonly Column[];

  /**
   * The members of get, list, create and update. Stored columns come first, in order; the first key is the field's
   * name.
   */
  read(field: FieldDef, scope: ReadScope): Reading;

  /** The members of an export, where different: ids as labels. */
  exported?(field: FieldDef, scope: ReadScope): Reading;

  /** JSON Schemas of the values read and written. */
  schema(field: FieldDef): FieldSchema;

  /** The operand for filters and sorts. */
  operand(field: FieldDef, scope: RowScope): Operand;

  /** Parts of a value that can be named behind it (`address.city`), by name. */
  within?(field: FieldDef, scope: RowScope): Readonly<Record<string, Within>>;

  /** The filter operators. */
  readonly operators: OperatorSet;

  /** The aggregate functions. */
  readonly aggregates: AggregateSet;

  /** Set if values may be pages long: they cannot be group keys. */
  readonly isLong?: true;

  /** Set if values are HTML, whose sanitizing takes time: one request may bring only so much. */
  readonly isHtml?: true;

  /** The condition that the row has no value, where no filter operator can express it. */
  absent?(field: FieldDef, scope: ReadScope): Sql | undefined;

  /** The units of a value, where they may differ by row (CURRENCY, and fields derived from it). */
  units?(field: FieldDef, scope: RowScope): readonly Unit[];

  /** The pipelines or steps that a value may be the id of, in their order. */
  pipelineOptions?(pipelines: readonly PipelineDef[]): readonly PipelineOption[];

  /** A JSON value as cells, one per column, each castable to its column's type; null clears. Throws FieldProblem. */
  decode(value: Json, field: FieldDef, context: DecodeContext): readonly Cell[];

  /**
   * Decodes in a worker thread a value that would block the event loop; undefined for other values. Rejects with
   * FieldProblem.
   */
  decodeAside?(value: Json, field: FieldDef, asker: Asker): Promise<readonly Cell[]> | undefined;

  /**
   * Converts a CSV cell, or text given for another type, to the JSON value that `decode` takes. Throws FieldProblem.
   */
  fromCell(text: string, field: FieldDef): Json;

  /** The search text of a value; only searchable types have it. */
  searchText?(cells: readonly Cell[]): string;

  /**
   * For sets (EMAILS, PHONES): the keys that no two records may share when the field is unique; stored in
   * `_unique_values`.
   */
  uniqueValues?(cells: readonly Cell[]): readonly string[];

  /** The target of an id in the first cell; written ids must exist. */
  target?(field: FieldDef): Target | undefined;

  /** MANY_TO_MANY: the requested links, read in slices. Rejects with FieldProblem. */
  links?(value: Json, field: FieldDef, context: DecodeContext): Promise<readonly Link[]>;
}
