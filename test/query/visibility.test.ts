import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KithError } from '../../src/errors.ts';
import type { FilterGroup } from '../../src/model/model.ts';
import type { QueryContext } from '../../src/query/context.ts';
import type { ListRequest } from '../../src/query/plan.ts';
import { selectRecord } from '../../src/query/selection.ts';
import { openWorld, refusal, where, type Asking } from './asking.ts';
import { now } from './world.ts';

let asking: Asking;

beforeAll(async () => {
  asking = await openWorld();
});
afterAll(() => asking.test.drop());

describe('what is hidden', () => {
  const hidden = () => asking.contextOf({}, { things: ['secret'], companies: ['industry'] });

  it.each<[string, (name: string) => Partial<ListRequest>]>([
    ['a filter', (name) => ({ where: [where(name, 'equals', 'x')] })],
    ['a sort', (name) => ({ sort: [{ field: name, direction: 'asc' }] })],
    ['a choice of fields', (name) => ({ fields: [name] })],
  ])('is answered like what does not exist, in %s', async (_, request) => {
    for (const [secret, unknown] of [
      ['secret', 'secrex'],
      ['company_id.industry', 'company_id.industrx'],
    ] as const) {
      const answers = await Promise.all(
        [secret, unknown].map(async (name) => {
          const error: unknown = await asking.list(hidden(), request(name)).catch((problem: unknown) => problem);
          if (!(error instanceof KithError)) throw new Error(`${name} was taken`);
          return {
            code: error.code,
            message: error.message.replaceAll(unknown, secret).replaceAll('industrx', 'industry'),
            values: error.availableValues,
          };
        }),
      );
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]?.code).toBe('INVALID_FIELD');
      expect(answers[0]?.values).not.toContain('secret');
    }
  });

  it('is not reached through an object that the role may not see', () => {
    const context = asking.contextOf({ companies: 'none' });
    const asked = (field: string) =>
      refusal(() => asking.plan(context, { where: [where(field, 'is_null')], sort: [], limit: 1 }));
    expect(asked('company_id.name').code).toBe('INVALID_FIELD');
    expect(asked('company_id.name').availableValues).toEqual(asked('company_id.nothing').availableValues);
  });

  it('is seen by a rule, which admits nothing where it means nothing', async () => {
    const total = async (rule: FilterGroup) =>
      (await asking.list(asking.contextOf({ things: rule }, { things: ['secret'] }), {})).total;
    const alive = asking.world.things.filter(({ deleted }) => !deleted);
    expect(await total(where('secret', 'is_not_null'))).toBe(
      alive.filter(({ values }) => values['secret'] !== null).length,
    );
    for (const nonsense of [
      where('gone', 'is_null'),
      where('size', 'equals', 'many'),
      where('name', 'constructor', 'x'),
      where('active', 'contains', 'x'),
      where('owner.name', 'is_null'),
    ]) {
      expect(await total(nonsense)).toBe(0);
      expect(
        await total({ type: 'OR', conditions: [nonsense, where('name', 'is_null'), where('name', 'is_not_null')] }),
      ).toBe(alive.length);
    }
  });
});

describe('what is compiled for a role', () => {
  it('is used again, unless a rule looks at the time', () => {
    const lasting = asking.contextOf({ companies: where('size', 'equals', 1) });
    const passing = asking.contextOf({ companies: where('created_at', 'date_today') });
    const select = (context: QueryContext, at: number) =>
      selectRecord(asking.things, { ...context, now: at }, 'r', 'read');
    expect(select(lasting, now)).toBe(select(lasting, now + 86_400_000));
    expect(select(passing, now)).not.toBe(select(passing, now));
  });
});
