/** Sums of what is calculated of amounts: of several currencies, they say so. */
import { beforeAll, describe, expect, it } from 'vitest';
import { applied } from '../manifest/manifests.ts';
import { createAll } from './records.ts';
import { admin, organization, useStage } from './stage.ts';

const calculated = (name: string, expression: string, outputType = 'NUMBER') => ({
  name,
  type: 'CALCULATED',
  calculation: { expression, outputType },
});

useStage(async () => {
  await applied(admin, {
    objects: [
      {
        name: 'orders',
        fields: [
          { name: 'name', type: 'TEXT' },
          { name: 'share', type: 'NUMBER' },
          { name: 'amount', type: 'CURRENCY' },
          { name: 'cost', type: 'CURRENCY' },
          calculated('weighted', 'amount * share / 100'),
          calculated('doubled', '2 * weighted', 'CURRENCY'),
          calculated('open', "if(name = 'open', round(amount, 1), 0)"),
          calculated('margin', 'amount - coalesce(cost, 0)'),
          calculated('ratio', 'amount / cost'),
          calculated('squared', 'amount * amount'),
          calculated('large', 'if(amount > 10, 1, 0)'),
          calculated('half_share', 'share / 2'),
        ],
      },
    ],
  });
  const of = (amount: number, currency: string) => ({ amount, currency });
  await createAll(admin, 'orders', [
    { name: 'open', share: 50, amount: of(100, 'EUR'), cost: of(60, 'EUR') },
    { name: 'open', share: 10, amount: of(20, 'USD') },
    { name: 'closed', share: 10, amount: of(40, 'EUR'), cost: of(30, 'USD') },
    { name: 'none', share: 10 },
  ]);
});

const sum = async (field: string, more: object = {}) =>
  (await admin.get('/aggregate/orders', { function: 'SUM', field, ...more })).json;

it.each<[string, number, object]>([
  ['amount', 160, { EUR: 140, USD: 20 }],
  ['weighted', 56, { EUR: 54, USD: 2 }],
  ['doubled', 112, { EUR: 108, USD: 4 }],
  ['open', 120, { EUR: 100, USD: 20 }],
  ['margin', 70, { EUR: 40, 'EUR+USD': 10, USD: 20 }],
])('%s is of several currencies', async (field, value, currencies) => {
  expect(await sum(field)).toMatchObject({ value, currencies });
});

it.each(['ratio', 'squared', 'large', 'half_share'])('%s is of none', async (field) => {
  expect(await sum(field)).not.toHaveProperty('currencies');
});

it('says nothing where all are of one currency, and it where one record mixes two', async () => {
  const only = (name: string) => ({ filter_field: 'name', filter_operator: 'equals', filter_value: name });
  expect(await sum('weighted', only('closed'))).not.toHaveProperty('currencies');
  expect(await sum('margin', only('closed'))).toMatchObject({ value: 10, currencies: { 'EUR+USD': 10 } });
  expect((await sum('doubled', { group_by: 'name' })).results).toEqual([
    { group: 'open', value: 104, currencies: { EUR: 100, USD: 4 } },
    { group: 'closed', value: 8 },
    { group: 'none', value: null },
  ]);
});

describe('a ROLLUP of amounts', () => {
  const rollup = (name: string, objectName: string, relationField: string, field: string, called = 'SUM') => ({
    name,
    type: 'ROLLUP',
    rollup: { objectName, relationField, field, function: called },
  });
  const relation = (name: string, targetObjectName: string) => ({
    name,
    type: 'RELATION',
    relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName },
  });
  const name = { name: 'name', type: 'TEXT' };

  beforeAll(async () => {
    await applied(admin, {
      objects: [
        { name: 'areas', fields: [name, rollup('billed', 'buyers', 'area_id', 'billed')] },
        {
          name: 'buyers',
          fields: [
            name,
            relation('area_id', 'areas'),
            rollup('billed', 'bills', 'buyer_id', 'amount'),
            rollup('largest', 'bills', 'buyer_id', 'amount', 'MAX'),
            rollup('halves', 'bills', 'buyer_id', 'half'),
            rollup('bills', 'bills', 'buyer_id', 'amount', 'COUNT'),
            calculated('tenth', 'billed / 10'),
            calculated('average', 'billed / bills'),
          ],
        },
        {
          name: 'bills',
          fields: [
            name,
            relation('buyer_id', 'buyers'),
            { name: 'amount', type: 'CURRENCY' },
            calculated('half', 'amount / 2'),
          ],
        },
      ],
      roles: [
        {
          name: 'Euros',
          permissions: {
            '*': { view: 'all' },
            bills: { view: { type: 'AND', conditions: [{ field: 'name', operator: 'equals', value: 'euros' }] } },
          },
        },
      ],
    });
    const [north, south] = await createAll(admin, 'areas', [{ name: 'North' }, { name: 'South' }]);
    const [one, two, three] = await createAll(admin, 'buyers', [
      { name: 'One', area_id: north.id },
      { name: 'Two', area_id: north.id },
      { name: 'Three', area_id: south.id },
    ]);
    const bill = (buyer: { id: string }, amount: number, currency: string) => ({
      name: currency === 'EUR' ? 'euros' : 'others',
      buyer_id: buyer.id,
      amount: { amount, currency },
    });
    await createAll(admin, 'bills', [
      bill(one, 100, 'EUR'),
      bill(one, 50, 'EUR'),
      bill(two, 10, 'USD'),
      bill(two, 30, 'EUR'),
      bill(three, 200, 'GBP'),
      { name: 'none', buyer_id: three.id },
    ]);
  });

  const summed = async (object: string, field: string, more: object = {}, client = admin) =>
    (await client.get(`/aggregate/${object}`, { function: 'SUM', field, ...more })).json;

  it.each<[string, string, number, object]>([
    ['buyers', 'billed', 390, { EUR: 150, 'EUR+USD': 40, GBP: 200 }],
    ['buyers', 'largest', 330, { EUR: 100, 'EUR+USD': 30, GBP: 200 }],
    ['buyers', 'halves', 195, { EUR: 75, 'EUR+USD': 20, GBP: 100 }],
    ['buyers', 'tenth', 39, { EUR: 15, 'EUR+USD': 4, GBP: 20 }],
    ['areas', 'billed', 390, { 'EUR+USD': 190, GBP: 200 }],
  ])('%s.%s is of several currencies', async (object, field, value, currencies) => {
    expect(await summed(object, field)).toMatchObject({ value, currencies });
  });

  it('is of none where records are counted', async () => {
    expect(await summed('buyers', 'bills')).not.toHaveProperty('currencies');
    expect(await summed('buyers', 'average')).toMatchObject({ currencies: { EUR: 75, 'EUR+USD': 20, GBP: 200 } });
  });

  it('says nothing of one currency, by groups, nor of those that the caller does not see', async () => {
    const only = (wanted: string) => ({ filter_field: 'name', filter_operator: 'equals', filter_value: wanted });
    expect(await summed('buyers', 'billed', only('One'))).not.toHaveProperty('currencies');
    expect(await summed('areas', 'billed', only('South'))).not.toHaveProperty('currencies');
    expect((await summed('buyers', 'billed', { group_by: 'name' })).results).toEqual([
      { group: 'Three', value: 200 },
      { group: 'One', value: 150 },
      { group: 'Two', value: 40, currencies: { 'EUR+USD': 40 } },
    ]);
    const client = await organization.user('Euros');
    for (const object of ['buyers', 'areas']) {
      const answer = await summed(object, 'billed', {}, client);
      expect(answer).toMatchObject({ value: 180 });
      expect(answer).not.toHaveProperty('currencies');
    }
  });
});
