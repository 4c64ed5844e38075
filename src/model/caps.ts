/** Limits per organization. What already exceeds one keeps working; only additions are refused. */
import { errors } from '../errors.ts';
import type { Rows } from '../postgres/database.ts';
import { identifier, sql, type Sql } from '../postgres/sql.ts';

export const caps = {
  /** Besides the built-in ones. */
  objects: 200,
  fieldsOfObject: 500,
  /** Of all objects together, including junction fields. */
  fields: 10_000,
  /** MANY_TO_MANY fields with their junction fields: a record shows all its links in full. */
  linkFieldsOfObject: 100,
  /** Length of a chain of dependent relations: an update settles each after the one above it. */
  dependentInARow: 10,
  optionsOfField: 2_000,
  /** A link is read as one JSON object, and a PostgreSQL function takes at most a hundred arguments. */
  linkFieldsOfField: 40,
  /** All definitions together as JSON: each process reloads them after each change. */
  characters: 4_000_000,
  pipelinesOfObject: 50,
  stepsOfPipeline: 50,
  questionsOfStep: 200,
  roles: 100,
  lists: 1_000,
  dashboards: 500,
  /** Opening a dashboard computes all of them. */
  chartsOfDashboard: 20,
  /** Per person, including shared views. */
  viewsOfObject: 100,
  /** Per person; a further one replaces the oldest. */
  draftsOfObject: 100,
  columnsOfView: 200,
  users: 10_000,
  /** Tokens neither expired nor revoked. */
  tokensOfUser: 1_000,
} as const;

export interface Capped {
  /** For messages: `lists of an organization`. */
  readonly what: string;
  readonly most: number;
  /** A query with one row for each existing item. */
  readonly existing: Sql;
}

/**
 * Reserves room for one more until the end of the transaction of `run`: concurrent additions wait, so the cap is
 * never exceeded. Throws VALIDATION_ERROR at the cap.
 */
export async function takePlace(
  run: (query: Sql) => Promise<Rows>,
  schema: string,
  { what, most, existing }: Capped,
): Promise<void> {
  await run(sql`select id from ${identifier(schema, '_organization')} for no key update`);
  const { rows } = await run(sql`select count(*) from (${existing} limit ${most}::int) e`);
  if (Number(rows[0]?.[0]) >= most)
    throw errors.validation(`There can be at most ${most.toLocaleString('en')} ${what}`);
}
