/** Conditions of objects that no role lifts, laid upon a random workspace; also whoever is an admin sees no more than they admit. */
import type { FilterCondition, RowCondition } from '../../src/model/model.ts';
import { identifier, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import type { Random } from '../query/random.ts';
import type { TestKith, TestOrganization } from '../support/kith.ts';
import { leadsToOne } from './roles.ts';
import type { Thing } from './workspace.ts';

/** By the name of an object. */
export type Conditions = ReadonlyMap<string, RowCondition>;

const mine: readonly FilterCondition[] = [
  { field: 'owner', operator: 'equals', value: '$me' },
  { field: 'created_by', operator: 'equals', value: '$me' },
];

export function randomConditions(random: Random, things: readonly Thing[]): Conditions {
  return new Map(
    things.flatMap((thing, index): [string, RowCondition][] => {
      if (!random.chance(0.7)) return [];
      const named: FilterCondition = { field: 'name', operator: 'contains', value: random.pick(['a', 'x', 'Smith']) };
      // To objects before this one alone: otherwise two could look at each other without end.
      const earlier = things.slice(0, index).map(({ name }) => name);
      const relations = thing.fields.filter(
        (field) => (leadsToOne(field) || field.name === 'peers') && earlier.includes(field.targets?.[0] ?? ''),
      );
      const sights = relations.slice(0, 1).map(({ name }) => ({ sees: name }));
      return [
        [
          thing.name,
          { type: 'OR', conditions: [random.pick(mine), random.chance(0.5) ? named : random.pick(mine), ...sights] },
        ],
      ];
    }),
  );
}

/** The fields that a condition speaks of, and those that it sees through. */
export function fieldsOfCondition({ conditions }: RowCondition): { fields: string[]; sights: string[] } {
  const parts = conditions.map((part) => {
    if ('conditions' in part) return fieldsOfCondition(part);
    return 'sees' in part ? { fields: [part.sees], sights: [part.sees] } : { fields: [part.field], sights: [] };
  });
  return { fields: parts.flatMap(({ fields }) => fields), sights: parts.flatMap(({ sights }) => sights) };
}

/** Makes these the organization's conditions, and none where none are given; `version` becomes its model's. */
export async function layConditions(
  kith: TestKith,
  { id, schema }: TestOrganization,
  conditions: Conditions,
  version: Sql = sql`model_version + 1`,
): Promise<void> {
  const run = (query: Sql) => kith.database.database.run(id, statement(query));
  const objects = identifier(schema, '_objects');
  await run(sql`update ${objects} set definition = definition - 'condition' where definition ->> 'kind' is null`);
  for (const [name, condition] of conditions)
    await run(
      sql`update ${objects} set definition = definition || ${JSON.stringify({ condition })}::jsonb where name = ${name}`,
    );
  await run(sql`update ${identifier(schema, '_organization')} set model_version = ${version}`);
}
