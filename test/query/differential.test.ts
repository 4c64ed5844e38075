/** Random queries, run in PostgreSQL and by a plain model in memory: the answers must be the same, row by row, page by page. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FilterGroup } from '../../src/model/model.ts';
import type { QueryContext, Visibility } from '../../src/query/context.ts';
import { cursorSeal } from '../../src/query/cursor.ts';
import { planExport, planList, type ListPage, type RememberedTotal } from '../../src/query/plan.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { matches, searchMatches, sorted } from './oracle.ts';
import { randomGroup, randomSearch, randomSort } from './queries.ts';
import { randomFrom, type Random } from './random.ts';
import { companyFields, createWorld, now, objectNamed, thingFields, timeZone, type Stored, type World } from './world.ts';

const deep = process.env['KITH_DEEP'] === '1';
const firstSeed = Number(process.env['KITH_SEED'] ?? (deep ? Date.now() % 1_000_000_000 : 1));
const worlds = deep ? 20 : 2;
const queriesPerWorld = deep ? 1_500 : 120;
const seal = cursorSeal(Buffer.alloc(32, 1));

/** Who asks, in both languages. */
interface Role {
  readonly rule: 'all' | FilterGroup;
  readonly companyRule: 'all' | 'none' | FilterGroup;
  readonly hidden: ReadonlySet<string>;
}

function randomRole(random: Random, world: World): Role {
  if (random.chance(0.4)) return { rule: 'all', companyRule: 'all', hidden: new Set() };
  const none = new Set<string>();
  const companyRule: FilterGroup = { type: 'OR', conditions: [{ field: 'size', operator: 'less_than', value: 3 }] };
  return {
    rule: random.chance(0.5) ? 'all' : { type: 'OR', conditions: [randomGroup(random, world, none), randomGroup(random, world, none)] },
    companyRule: random.pick(['all', companyRule] as const),
    hidden: new Set(random.some(['secret', 'note', 'size', 'emails', 'phase'], 3)),
  };
}

function visibilityOf(role: Role): Visibility {
  return {
    rows: (name) => (name === 'things' ? role.rule : role.companyRule),
    shows: (name, field) => name !== 'things' || !role.hidden.has(field),
  };
}

/** What the model in memory says a role sees. */
function seenBy(role: Role, world: World) {
  const byId = new Map(world.companies.map((company) => [company.id, company]));
  const any = (id: unknown) => byId.get(String(id));
  const alive = (id: unknown) => (any(id)?.deleted ? undefined : any(id));
  const visible = (id: unknown) => {
    const company = alive(id);
    if (!company || role.companyRule === 'all') return company;
    return role.companyRule !== 'none' && matches(role.companyRule, company, companyFields, any) ? company : undefined;
  };
  /** Paths see what the caller may see; links see whatever is not in the trash. */
  const callers = (group: FilterGroup, row: Stored) => matches(group, row, thingFields, visible, any);
  const things = world.things.filter(
    (thing) => !thing.deleted && (role.rule === 'all' || matches(role.rule, thing, thingFields, alive, any)),
  );
  return { things, callers, visible, alive };
}

const seeds = Array.from({ length: worlds }, (_, index) => firstSeed + index);

describe.each(seeds)('a world from KITH_SEED=%i', (seed) => {
  const random = randomFrom(seed);
  let test: TestDatabase;
  let world: World;

  beforeAll(async () => {
    test = await testDatabase();
    world = await createWorld(test.database, random, deep ? 400 : 150);
  });
  afterAll(() => test.drop());

  it(`answers ${queriesPerWorld} random queries as the model in memory does`, async () => {
    for (let round = 0; round < queriesPerWorld; round++) await compareOnce(test, world, random, `seed ${seed}, query ${round}`);
  });
});

async function compareOnce(test: TestDatabase, world: World, random: Random, place: string): Promise<void> {
  const role = randomRole(random, world);
  const context: QueryContext = { model: world.model, visibility: visibilityOf(role), now, timeZone };
  const where = Array.from({ length: random.below(3) }, () => randomGroup(random, world, role.hidden));
  const sort = randomSort(random, role.hidden);
  const search = randomSearch(random);
  const { things, callers, visible } = seenBy(role, world);
  const wanted = things.filter(
    (thing) => where.every((group) => callers(group, thing)) && (search === undefined || searchMatches(search, thing, role.hidden)),
  );
  const expected = sorted(wanted, sort).map((thing) => thing.id);
  const asked = `${place}: ${JSON.stringify({ where, sort, search, rule: role.rule, hidden: [...role.hidden] })}`;

  const limit = random.pick([1, 2, 3, 7, 20, 100, 1000]);
  const pages = await walk(test, random, context, { where, sort, search, limit }, limit === 1 ? 12 : Infinity);
  const records = pages.flatMap((page): Record<string, unknown>[] => JSON.parse(page.data));
  const reached = limit === 1 ? expected.slice(0, records.length) : expected;
  expect(records.map((record) => record['id']), asked).toEqual(reached);
  expect(pages.map((page) => page.total), asked).toEqual(pages.map(() => expected.length));

  for (const record of records.slice(0, 3)) {
    const thing = world.things.find(({ id }) => id === record['id']);
    const company = thing && visible(thing.values['company_id'] ?? null);
    expect(record['company_id_display'], asked).toBe(company?.values['name'] ?? null);
    expect(Object.keys(record).filter((key) => role.hidden.has(key)), asked).toEqual([]);
  }
  if (search === undefined) await compareExport(test, context, { where, sort, expected, asked });
}

/** What was counted before the last write: not true any more, but a large total means another plan. */
const stale: RememberedTotal = { version: '0', total: 1_000_000 };

/** Pages up to the last one; the first total is remembered for the others. */
async function walk(
  test: TestDatabase,
  random: Random,
  context: QueryContext,
  request: { where: FilterGroup[]; sort: ReturnType<typeof randomSort>; search: string | undefined; limit: number },
  mostPages: number,
): Promise<ListPage[]> {
  const things = objectNamed(context.model, 'things');
  const memory = new Map<string, RememberedTotal>();
  const before = random.chance(0.5) ? stale : undefined;
  const pages: ListPage[] = [];
  let cursor: string | undefined;
  do {
    const plan = planList(context, things, { ...request, cursor }, seal, (key) => memory.get(key) ?? before);
    const [answer] = await test.database.read('test', [plan.statement]);
    const page = plan.read(answer?.rows ?? []);
    if (plan.memoKey !== undefined) memory.set(plan.memoKey, page);
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== undefined && pages.length < mostPages);
  return pages;
}

async function compareExport(
  test: TestDatabase,
  context: QueryContext,
  { where, sort, expected, asked }: { where: FilterGroup[]; sort: ReturnType<typeof randomSort>; expected: string[]; asked: string },
): Promise<void> {
  const plan = planExport(context, objectNamed(context.model, 'things'), { where, sort, limit: 10_000, fields: ['id', 'name'] });
  const { rows } = await test.database.run('test', plan.statement);
  expect(rows.map((row) => JSON.parse(plan.json(row)).id), asked).toEqual(expected);
}
