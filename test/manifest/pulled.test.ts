/** Whatever a manifest made: what is pulled changes nothing, and makes the same elsewhere. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fieldTypeNames } from '../../src/fields/field-def.ts';
import { randomFrom } from '../query/random.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { applied } from './manifests.ts';

let kith: TestKith;
beforeAll(async () => {
  kith = await startKith();
}, 60_000);
afterAll(() => kith.stop());

type Entry = Record<string, unknown>;

/** What a type cannot be without; `parent` is a relation to companies that each object has. */
const needs: Readonly<Record<string, Entry>> = {
  SELECT: { options: [{ value: 'a' }, { value: 'b', color: '#fff' }], defaultValue: 'a' },
  MULTI_SELECT: { options: [{ value: 'x', label: 'Ex' }] },
  RELATION: { relationConfig: { targetObjectName: 'contacts' } },
  DEPENDENT_RELATION: { dependsOn: 'parent', relationConfig: { targetObjectName: 'contacts' } },
  MORPH_RELATION: { relationConfig: { targetObjectNames: ['contacts', 'opportunities'] } },
  MANY_TO_MANY: {
    relationConfig: { targetObjectName: 'contacts' },
    junctionFields: [{ name: 'share', type: 'PERCENT', defaultValue: 0.5 }],
  },
  CALCULATED: { calculation: { expression: "join(' ', name, 'x')", outputType: 'TEXT' } },
  ROLLUP: { rollup: { objectName: 'contacts', relationField: 'company_id', function: 'COUNT' } },
};

function randomManifest(seed: number): object {
  const random = randomFrom(seed);
  const chance = () => random.chance(0.3);
  const types = fieldTypeNames.filter((type) => type !== 'ROLLUP');
  const objects = Array.from({ length: 1 + random.below(3) }, (_, at) => {
    const chosen = types.filter((type) => (type === 'PIPELINE' ? chance() : random.chance(0.6)));
    const fields = chosen.map((type, index): Entry => ({
      name: `f${index}_${type.toLowerCase()}`,
      type,
      ...needs[type],
      ...(chance() && { label: `Label ${index}` }),
      ...(chance() && { isHidden: true }),
      ...(type === 'TEXT' && { isSearchable: chance(), isUnique: chance(), isRequired: chance() }),
    }));
    const parent = { name: 'parent', type: 'RELATION', relationConfig: { targetObjectName: 'companies' } };
    return {
      name: `thing_${at}`,
      ...(chance() && { color: '#123456' }),
      fields: [{ name: 'name', type: 'TEXT' }, parent, ...fields],
    };
  });
  const staged = objects.filter(({ fields }) => fields.some((field) => field.type === 'PIPELINE'));
  return {
    objects: [...objects, { name: 'companies', fields: [{ name: 'people', type: 'ROLLUP', ...needs['ROLLUP'] }] }],
    pipelines: staged.map(({ name }) => ({
      name: `Way of ${name}`,
      objectName: name,
      steps: [
        { name: 'Open', questions: [{ linked_field_name: 'name', required_for_closure: true }] },
        { name: 'Done', kind: 'won', forced_values: { name: '1e3' } },
      ],
    })),
    roles: objects.map(({ name }) => ({
      name: `Keeper of ${name}`,
      permissions: {
        '*': { view: 'own', fields: { name: 'read' } },
        [name]: {
          view: { type: 'OR', conditions: [{ field: 'parent.employees', operator: 'greater_than', value: 1.5 }] },
          create: chance(),
        },
      },
    })),
  };
}

it.each(Array.from({ length: 12 }, (_, at) => at + 1))(
  'random manifest %i is pulled as it was applied and applies elsewhere',
  async (seed) => {
    const manifest = randomManifest(seed);
    const [first, second] = [(await kith.organization()).admin, (await kith.organization()).admin];
    expect((await applied(first, manifest)).length).toBeGreaterThan(3);
    expect(await applied(first, manifest)).toEqual([]);
    const pulled = (await first.get('/manifest')).json;
    expect(await applied(first, pulled)).toEqual([]);
    await applied(second, pulled);
    expect((await second.get('/manifest')).json).toEqual(pulled);
  },
);
