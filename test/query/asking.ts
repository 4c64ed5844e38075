/** What the tests of plans ask of a small world, and in whose name. */
import { whole } from '../../src/lib/long-text.ts';
import { KithError } from '../../src/errors.ts';
import type { FilterGroup, ObjectDef } from '../../src/model/model.ts';
import type { Row } from '../../src/postgres/database.ts';
import { identifier, sql, statement, type Statement } from '../../src/postgres/sql.ts';
import type { QueryContext, Visibility } from '../../src/query/context.ts';
import { cursorSigners } from '../../src/query/cursor.ts';
import { noMemory, type RememberedTotal } from '../../src/query/known-list.ts';
import type { ListRequest } from '../../src/query/plan.ts';
import { planList, type ListPage, type ListPlan } from '../../src/query/plan-list.ts';
import { planGet } from '../../src/query/plan-get.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { randomFrom } from './random.ts';
import { createWorld, me, now, objectNamed, timeZone, type Stored, type World } from './world.ts';

export type Rule = 'all' | 'none' | FilterGroup;

export interface Asking {
  readonly test: TestDatabase;
  readonly world: World;
  readonly things: ObjectDef;
  /** Rules by object, hidden fields by object; whatever is not named is visible. */
  contextOf(rules?: Record<string, Rule>, hidden?: Record<string, readonly string[]>): QueryContext;
  /** A plan for a list of things that is not sent. */
  plan(context: QueryContext, request: Partial<ListRequest>, remembered?: RememberedTotal): ListPlan;
  list(context: QueryContext, request: Partial<ListRequest>, remembered?: RememberedTotal): Promise<ListPage>;
  get(context: QueryContext, id: string, fields?: string[]): Promise<Found | undefined>;
  /** The first thing that is not in the trash and that `wanted` takes. */
  thing(wanted: (row: Stored) => unknown): Stored;
  company(id: unknown): Stored;
  /** As a write to the object does. */
  touch(objectName: string): Promise<void>;
}

interface Found {
  readonly record: Record<string, unknown>;
  readonly lists: unknown;
}

export async function openWorld(): Promise<Asking> {
  const test = await testDatabase();
  const world = await createWorld(test.database, randomFrom(7), 60);
  const { model } = world;
  const things = objectNamed(model, 'things');
  const seal = cursorSigners(Buffer.alloc(32, 1))('organization');
  const rowsOf = async (wanted: Statement): Promise<readonly Row[]> => {
    const [answer] = await test.database.read('test', [wanted]);
    return answer?.rows ?? [];
  };
  const plan: Asking['plan'] = (context, request, remembered) => {
    const usual = { where: [], sort: [{ field: 'created_at', direction: 'desc' as const }], limit: 10 };
    return planList(context, things, { ...usual, ...request }, seal, { ...noMemory, total: () => remembered });
  };
  return {
    test,
    world,
    things,
    plan,
    contextOf(rules = {}, hidden = {}) {
      const visibility: Visibility = {
        rows: (name) => rules[name] ?? 'all',
        shows: (name, field) => !hidden[name]?.includes(field),
      };
      return { model, visibility, me, now, timeZone };
    },
    async list(context, request, remembered) {
      const planned = plan(context, request, remembered);
      return planned.read(await rowsOf(planned.statement));
    },
    async get(context, id, fields) {
      const planned = planGet(context, things, id, fields);
      const found = await planned.read(await rowsOf(planned.statement));
      return (
        found && {
          record: JSON.parse(whole(found.record)),
          lists: found.lists === null ? null : JSON.parse(whole(found.lists)),
        }
      );
    },
    thing: (wanted) => only(world.things.find((row) => !row.deleted && wanted(row))),
    company: (id) => only(world.companies.find((row) => row.id === id)),
    async touch(objectName) {
      const state = identifier(model.schema, '_state');
      const { id } = objectNamed(model, objectName);
      await test.database.run(
        'test',
        statement(sql`update ${state} set version = version + 1 where object_id = ${id}::uuid`),
      );
    },
  };
}

function only(row: Stored | undefined): Stored {
  if (!row) throw new Error('the world has no such row');
  return row;
}

export function where(field: string, operator: string, value?: string | number): FilterGroup {
  return { type: 'AND', conditions: [{ field, operator, ...(value !== undefined && { value }) }] };
}

/** How `work` is refused; throws when it is not. */
export function refusal(work: () => unknown): KithError {
  try {
    work();
  } catch (error) {
    if (error instanceof KithError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
