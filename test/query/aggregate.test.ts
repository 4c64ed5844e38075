/** Random aggregates and grouped lists, run in PostgreSQL and by a plain model in memory, for random roles. */
import { it } from 'vitest';
import { whole } from '../../src/lib/long-text.ts';
import { aggregateNames } from '../../src/fields/aggregates.ts';
import { fieldType } from '../../src/fields/registry.ts';
import type { FilterGroup } from '../../src/model/model.ts';
import type { QueryContext } from '../../src/query/context.ts';
import { planAggregate } from '../../src/query/plan-aggregate.ts';
import { planGroups, type RememberedGroups } from '../../src/query/plan-groups.ts';
import { readScope } from '../../src/query/read-scope.ts';
import type { TestDatabase } from '../support/database.ts';
import { aggregated, columnOf, compareKeys, groupOf, keyOf, type Column } from './aggregate-oracle.ts';
import { searchMatches, sorted } from './oracle.ts';
import { randomGroup, randomSearch, randomSort } from './queries.ts';
import type { Random } from './random.ts';
import { contextOf, randomRole, seenBy } from './roles.ts';
import { objectNamed, thingFields, type Stored, type World } from './world.ts';
import { deep, describeWorlds, patience } from './worlds.ts';

const rounds = deep ? 2_000 : 150;
describeWorlds(({ expectAlike }) => {
  it(
    `answers ${rounds} random aggregates as the model in memory does`,
    () =>
      expectAlike('aggregates', rounds, async (database, world, random) => {
        const question = ask(random, world);
        const { actual, expected } = await aggregateBoth(database, random, question);
        const { asked } = question;
        return { actual: { asked, actual: rounded(actual) }, expected: { asked, actual: rounded(expected) } };
      }),
    patience,
  );

  it(
    `answers ${rounds} random grouped lists as the model in memory does`,
    () =>
      expectAlike('groups', rounds, async (database, world, random) => {
        const question = ask(random, world);
        const { actual, expected } = await groupBoth(database, random, question);
        const { asked } = question;
        return { actual: { asked, actual }, expected: { asked, actual: expected } };
      }),
    patience,
  );
});

interface Question {
  readonly context: QueryContext;
  readonly where: FilterGroup[];
  readonly search: string | undefined;
  /** For messages. */
  readonly asked: string;
  readonly wanted: readonly Stored[];
  readonly hidden: ReadonlySet<string>;
  column(name: string): Column;
  visible(id: unknown): Stored | undefined;
}

function ask(random: Random, world: World): Question {
  const role = randomRole(random, world);
  const context = contextOf(role, world);
  const where = Array.from({ length: random.below(2) }, () => randomGroup(random, world, role.hidden));
  const search = randomSearch(random);
  const { things, callers, visible } = seenBy(role, world);
  const wanted = things.filter(
    (thing) =>
      where.every((group) => callers(group, thing)) &&
      (search === undefined || searchMatches(search, thing, role.hidden)),
  );
  const asked = JSON.stringify({ where, search, role: { ...role, hidden: [...role.hidden] } });
  const column = (name: string) => columnOf(name, visible);
  return { context, where, search, asked, wanted, hidden: role.hidden, visible, column };
}

const groupable = thingFields.filter(({ type }) => type !== 'LONG_TEXT' && type !== 'MANY_TO_MANY');
const beyond = ['company_id.name', 'company_id.industry', 'company_id.size'];

function groupName(random: Random, hidden: ReadonlySet<string>, sets: boolean): string {
  const own = groupable.filter(({ name, kind }) => !hidden.has(name) && (sets || kind !== 'values'));
  return random.chance(0.15) ? random.pick(beyond) : random.pick(own).name;
}

async function aggregateBoth(test: TestDatabase, random: Random, question: Question) {
  const { context, wanted, hidden, where, search } = question;
  const object = objectNamed(context.model, 'things');
  const spec = random.pick(thingFields.filter(({ name }) => !hidden.has(name)));
  const operand = readScope(context, object, 'r').operand(spec.name);
  const field = object.fields.find(({ name }) => name === spec.name);
  if (!field) throw new Error('no such field');
  const allowed = fieldType(field.type).aggregates(operand, field);
  const wholly = random.chance(0.1);
  const name = wholly ? 'COUNT' : random.pick(aggregateNames.filter((known) => allowed.includes(known)));
  const groupBy = random.chance(0.6) ? groupName(random, hidden, true) : undefined;
  const request = {
    where,
    search,
    function: name,
    groupBy: groupBy === undefined ? [] : [groupBy],
    ...(!wholly && { field: spec.name }),
  };
  const plan = planAggregate(context, object, request, () => undefined);
  const [found] = await test.database.read('test', [plan.statement]);
  const text = `{${plan.read(found?.rows ?? []).text}}`;
  const actual = JSON.parse(text);
  const column = wholly ? undefined : question.column(spec.name);
  if (groupBy === undefined) return { actual: actual.value, expected: aggregated(name, column, wanted) };
  const grouping = question.column(groupBy);
  const values = new Map([...grouped(grouping, wanted)].map(([key, rows]) => [key, aggregated(name, column, rows)]));
  // Which of two values that differ in their last digits only comes first is for the exact ones to say.
  const exact = exactValues(text);
  const order = [...values.keys()].toSorted((a, b) => {
    const [left, right] = [a, b].map((key) => exact.get(JSON.stringify(groupOf(grouping, key))) ?? null) as [
      Exact,
      Exact,
    ];
    return descending(left, right) || compareKeys(grouping, a, b, undefined);
  });
  return {
    actual: actual.results.map(({ group, value }: { group: unknown; value: unknown }) => ({ group, value })),
    expected: order.map((key) => ({ group: groupOf(grouping, key), value: values.get(key) })),
  };
}

type Exact = bigint | string | null;

/** The values of an answer by the JSON of their groups: numbers without loss, as whole ones of the same size. */
function exactValues(text: string): Map<string, Exact> {
  // oxlint-disable-next-line typescript/no-explicit-any -- as it was answered
  const answer: any = JSON.parse(text, (_key, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? { source, value } : value,
  );
  const exact = (value: unknown): Exact => {
    if (typeof value !== 'object' || value === null || !('source' in value))
      return value === null ? null : String(value);
    const [whole = '', fraction = ''] = String(value.source).split('.');
    return BigInt(whole + fraction.padEnd(40, '0'));
  };
  const plain = (group: unknown) => JSON.stringify(group, (_key, item) => item?.value ?? item);
  return new Map(
    answer.results.map((result: { group: unknown; value: unknown }) => [plain(result.group), exact(result.value)]),
  );
}

function grouped(column: Column, rows: readonly Stored[]): Map<string | null, Stored[]> {
  const groups = new Map<string | null, Stored[]>();
  for (const row of rows) {
    const key = keyOf(column, row);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}

/** Values from the largest to the smallest, null last. */
function descending(a: Exact, b: Exact): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a === b ? 0 : a < b ? 1 : -1;
}

/** Without the last digits, which floats do not have. */
function rounded(value: unknown): unknown {
  const text = JSON.stringify(value);
  return JSON.parse(text, (_key, item) => (typeof item === 'number' ? Number(item.toPrecision(13)) : item));
}

const fromBefore: RememberedGroups = { version: '0', keys: [null], counts: [1_000_000], rows: 1_000_000 };

async function groupBoth(test: TestDatabase, random: Random, question: Question) {
  const { context, wanted, hidden, where, search } = question;
  const groupBy = groupName(random, hidden, false);
  const sort = randomSort(random, hidden);
  const limit = random.pick([1, 2, 5, 100]);
  const object = objectNamed(context.model, 'things');
  // What was counted before decides how rows are found: pages by an index, or all in one pass.
  let memory = random.chance(0.5) ? fromBefore : undefined;
  const answer = async () => {
    const plan = planGroups(context, object, { where, search, sort, groupBy, limit }, () => memory);
    const [found] = await test.database.read('test', [plan.statement]);
    return plan.read(found?.rows ?? []);
  };
  const page = await answer();
  // Claims that the groups are large, so that they are looked for one by one, with the counts that are remembered.
  const counts = page.counts.map((count) => count + 10_000);
  memory = { version: page.version, keys: page.keys, counts, rows: 1_000_000 };
  const again = await answer();

  const column = question.column(groupBy);
  const groups = [...grouped(column, wanted)].toSorted(([a], [b]) => compareKeys(column, a, b, question.visible));
  const ids = (text: string) =>
    Object.entries<{ id: string }[]>(JSON.parse(text)).map(([key, records]) => [key, records.map(({ id }) => id)]);
  const name = (key: string | null) => key ?? 'uncategorized';
  const expected = groups.map(([key, rows]) => [
    name(key),
    sorted(rows, sort)
      .slice(0, limit)
      .map(({ id }) => id),
  ]);
  return {
    actual: {
      groupBy,
      keys: page.keys.map((key) => (key === null ? null : shown(column, key))),
      counts: page.counts,
      truncated: page.truncated,
      groups: Object.fromEntries(ids(whole(page.groups))),
      again: Object.fromEntries(ids(whole(again.groups))),
    },
    expected: {
      groupBy,
      keys: groups.map(([key]) => key),
      counts: groups.map(([, rows]) => rows.length),
      truncated: false,
      groups: Object.fromEntries(expected),
      again: Object.fromEntries(expected),
    },
  };
}

function shown({ spec }: Column, key: string): string {
  return spec.kind === 'datetime' ? new Date(key).toISOString() : key;
}
