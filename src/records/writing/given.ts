/**
 * The values of a write as the common table `given` of a statement: one row per record, with its id and a column per
 * stored column.
 */
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
  /** Fields set by a pipeline step. */
  readonly byStep: ReadonlySet<FieldDef>;
}

/** A condition on each row of a write. */
export interface GivenCheck {
  readonly condition: Sql;
  /** The error for a row that fails the condition. */
  readonly problem: (row: GivenRow) => FieldError;
}

/** Cells of one type, one per row. */
interface GivenColumn<Row> {
  readonly alias: string;
  readonly type: Sql;
  cellOf(row: Row): Cell;
  /** A single cell where all rows have the same. */
  readonly cells: readonly Cell[];
}

/** The parameters of the slots of a write's rows. */
export interface SentRows<Row> {
  readonly rows: readonly Row[];
}

/** Rows that set the same fields; a row without one of them sets it to null. */
export class Given<Row extends GivenRow = GivenRow> implements SentRows<Row> {
  readonly rows: readonly Row[];
  /** The id of the row, if there is only one. */
  readonly onlyId: Sql;
  readonly #columns: GivenColumn<Row>[] = [];
  readonly #byField = new Map<FieldDef, readonly Sql[]>();

  constructor(rows: readonly Row[]) {
    this.rows = rows;
    this.onlyId = sql`${this.#ofOnly(({ id }) => id)}::uuid`;
    // A row given twice would lose one change, though history had both.
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

  /** Whether the field is set by steps alone, in every row that sets it. */
  isByStep(field: FieldDef): boolean {
    return this.rows.every(({ cells, byStep }) => !cells.has(field) || byStep.has(field));
  }

  has(field: FieldDef): boolean {
    return this.#byField.has(field);
  }

  /** A parameter computed from the rows. */
  slot(take: (rows: readonly Row[]) => Value): Sql {
    return slot((sent: SentRows<Row>) => take(sent.rows), this);
  }

  /** Adds a column with one cell per row, and returns its value as SQL. */
  add(type: Sql, cellOf: (row: Row) => Cell): Sql {
    const cells = this.rows.map(cellOf);
    // A column that is null in all rows needs no list.
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

  /** The first cell of the field in each row. */
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

/** A stored column set to `value`. */
export function setting(column: Column, value: Sql): WrittenColumn {
  return { name: column.name, type: castType(column), value, isNumber: column.type === 'numeric' };
}
