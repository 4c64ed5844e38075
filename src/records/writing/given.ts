/** The values that a write was given, as the source `given` of a statement: one row each, with the record's id and a column per stored one. */
import type { FieldError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Column } from '../../fields/field-type.ts';
import { fieldType } from '../../fields/registry.ts';
import type { Cell } from '../../postgres/database.ts';
import { identifier, join, slot, sql, trusted, type Sql, type Value } from '../../postgres/sql.ts';
import { castType } from './columns.ts';
import type { Check, WrittenColumn } from './row-write.ts';

/** The cells that a write sets in one record. */
export interface GivenRow {
  readonly id: string;
  readonly cells: ReadonlyMap<FieldDef, readonly Cell[]>;
  /** Fields that a step of the pipeline sets. */
  readonly byStep: ReadonlySet<FieldDef>;
}

/** A condition on each row of a write. */
export interface GivenCheck {
  readonly condition: Sql;
  /** What it means for a row that it does not hold. */
  readonly problem: (row: GivenRow) => FieldError;
}

/** Cells of one type, one per row. */
interface GivenColumn<Row> {
  readonly alias: string;
  readonly type: Sql;
  cellOf(row: Row): Cell;
  /** One where all rows have the same. */
  readonly cells: readonly Cell[];
}

/** What the slots of a write's rows take from. */
export interface SentRows<Row> {
  readonly rows: readonly Row[];
}

/** Rows that set the same fields. A row that lacks one sets it to null. */
export class Given<Row extends GivenRow = GivenRow> implements SentRows<Row> {
  readonly rows: readonly Row[];
  /** The id of the only row. */
  readonly onlyId: Sql;
  readonly #columns: GivenColumn<Row>[] = [];
  readonly #byField = new Map<FieldDef, readonly Sql[]>();

  constructor(rows: readonly Row[]) {
    this.rows = rows;
    this.onlyId = sql`${this.#ofOnly(({ id }) => id)}::uuid`;
    // Of a row that is given twice, one change would be lost and both left in history.
    if (new Set(this.ids).size < rows.length) throw new Error('A record can be written once in a set');
    for (const field of new Set(rows.flatMap(({ cells }) => [...cells.keys()]))) {
      const columns = fieldType(field.type).columns(field);
      const values = columns.map((column, at) =>
        this.add(castType(column), ({ cells }) => cells.get(field)?.[at] ?? null),
      );
      this.#byField.set(field, values);
    }
  }

  get ids(): readonly string[] {
    return this.rows.map(({ id }) => id);
  }

  /** Whether steps alone set the field, in every row that has it. */
  isByStep(field: FieldDef): boolean {
    return this.rows.every(({ cells, byStep }) => !cells.has(field) || byStep.has(field));
  }

  has(field: FieldDef): boolean {
    return this.#byField.has(field);
  }

  /** A parameter that is made of the rows. */
  slot(take: (rows: readonly Row[]) => Value): Sql {
    return slot((sent: SentRows<Row>) => take(sent.rows), this);
  }

  /** A further column, with one cell per row; the expression of its value. */
  add(type: Sql, cellOf: (row: Row) => Cell): Sql {
    const cells = this.rows.map(cellOf);
    // What is null in all rows of many is no list of its own.
    if (cells.length > 1 && cells.every((cell) => cell === null)) return sql`null::${type}`;
    const alias = `c${this.#columns.length}`;
    const [first = null] = cells;
    this.#columns.push({ alias, type, cellOf, cells: cells.every((cell) => cell === first) ? [first] : cells });
    return sql`given.${trusted(alias)}`;
  }

  /** The value of a field's column; undefined where the write does not set the field. */
  value(field: FieldDef, at = 0): Sql | undefined {
    return this.#byField.get(field)?.[at];
  }

  /** The first cells of the field, one per row. */
  firstCells(field: FieldDef): readonly Cell[] {
    return this.rows.map(({ cells }) => cells.get(field)?.[0] ?? null);
  }

  /** The conditions as checks of a write. */
  checks(of: readonly GivenCheck[]): Check[] {
    const byId = new Map(this.rows.map((row) => [row.id, row]));
    return of.map(({ condition, problem }) => ({ condition, problem: (id) => problem(byId.get(id)!) }));
  }

  /** `given as (…)`. */
  clause(): Sql {
    const columns = this.#columns;
    const names = join([sql`id`, ...columns.map(({ alias }) => trusted(alias))], ', ');
    if (this.rows.length === 1) {
      const values = columns.map((column) => sql`${this.#ofOnly((row) => column.cellOf(row))}::${column.type}`);
      return sql`given (${names}) as (select ${join([this.onlyId, ...values], ', ')})`;
    }
    const varying = columns.filter(({ cells }) => cells.length > 1);
    const lists = varying.map(({ cells }) => sql`${cells}::text[]`);
    const values = columns.map(({ alias, type, cells }) =>
      cells.length > 1 ? sql`u.${identifier(alias)}::${type}` : sql`${cells[0] ?? null}::${type}`,
    );
    const unnested = join([sql`id`, ...varying.map(({ alias }) => trusted(alias))], ', ');
    return sql`given (${names}) as (select ${join([sql`u.id`, ...values], ', ')}
      from unnest(${join([sql`${this.ids}::uuid[]`, ...lists], ', ')}) u (${unnested}))`;
  }

  #ofOnly(cellOf: (row: Row) => Cell): Sql {
    return this.slot(([row]) => (row ? cellOf(row) : null));
  }
}

/** A stored column, set to `value`. */
export function setting(column: Column, value: Sql): WrittenColumn {
  return { name: column.name, type: castType(column), value, isNumber: column.type === 'numeric' };
}
