/** How much of each kind an organization can have. What is beyond already keeps working; only adding to it is refused. */
import { errors } from '../errors.ts';
import type { Rows } from '../postgres/database.ts';
import { identifier, sql, type Sql } from '../postgres/sql.ts';

export const caps = {
  /** Beside the built-in ones. */
  objects: 200,
  fieldsOfObject: 500,
  /** Of all objects together; the fields of links count, too. */
  fields: 10_000,
  /** MANY_TO_MANY fields with their junction fields: a record shows all of its links, with all that they have. */
  linkFieldsOfObject: 100,
  /** One dependent relation upon the other: an update settles each after the one above it. */
  dependentInARow: 10,
  optionsOfField: 2_000,
  /** A read makes one JSON object of a link, and a function of PostgreSQL takes at most a hundred arguments. */
  linkFieldsOfField: 40,
  /** All definitions together, as JSON: each process reads them anew after each change. */
  characters: 4_000_000,
  pipelinesOfObject: 50,
  stepsOfPipeline: 50,
  questionsOfStep: 200,
  roles: 100,
  lists: 1_000,
  dashboards: 500,
  /** A look at a dashboard computes all of them. */
  chartsOfDashboard: 20,
  /** Of one person, shared ones among them. */
  viewsOfObject: 100,
  /** Of one person; the oldest one goes where there is one more. */
  draftsOfObject: 100,
  columnsOfView: 200,
  users: 10_000,
  /** Those that have neither ended nor been revoked. */
  tokensOfUser: 1_000,
} as const;

export interface Capped {
  /** `lists of an organization`. */
  readonly what: string;
  readonly most: number;
  /** A query for what there is, one row each. */
  readonly existing: Sql;
}

/**
 * Makes room for one more, until the end of the transaction that `run` works in: whoever adds meanwhile waits, so that none
 * comes beyond the cap. Throws VALIDATION_ERROR where there is none.
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
