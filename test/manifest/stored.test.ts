/** A stored workspace that comes out of a backup: whatever manifests could make, one after the other, is taken back. */
import { expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import type { Json } from '../../src/lib/json.ts';
import { checkStored } from '../../src/manifest/check-stored.ts';
import { builtInModel } from '../../src/model/built-ins.ts';
import { caps } from '../../src/model/caps.ts';
import type { FieldDefinition, StoredField, StoredModel } from '../../src/model/definition.ts';

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const organization = { id: newId(), schema: 'org_test' };
const builtIn = builtInModel({ name: 'Acme', currency: 'USD', timezone: 'UTC' });

function fieldOf(name: string, definition: Omit<FieldDefinition, 'label'>): StoredField {
  return { id: newId(), name, definition: { label: name, ...definition } };
}

function optionsOf(count: number) {
  return times(count, (at) => ({ value: `v${at}`, label: `V ${at}` }));
}

function objectOf(name: string, fields: readonly StoredField[]) {
  const frame = { label: name, labelSingular: name, isSystem: false, iconName: null, color: null };
  return { id: newId(), name, definition: { ...frame, displayField: 'id' }, fields };
}

function pipelineOf(objectId: string, at: number, steps: number) {
  return {
    id: newId(),
    object_id: objectId,
    name: `Pipeline ${at}`,
    is_default: at === 0,
    steps: times(steps, (n) => ({
      id: newId(),
      name: `Step ${n}`,
      order_index: n,
      definition: { kind: 'ongoing' as const },
    })),
  };
}

it('may say more than one manifest, and have what was made before there was a cap', { timeout: 30_000 }, async () => {
  const choices = objectOf(
    'choices',
    times(50, (at) => fieldOf(`choice${at}`, { type: 'SELECT', options: optionsOf(caps.optionsOfField) })),
  );
  const older = objectOf('older', [fieldOf('choice', { type: 'SELECT', options: optionsOf(caps.optionsOfField + 1) })]);
  const staged = times(21, (at) => objectOf(`staged${at}`, [fieldOf('stage', { type: 'PIPELINE' })]));
  const model: StoredModel = {
    ...builtIn,
    objects: [...builtIn.objects, choices, older, ...staged],
    pipelines: [
      ...builtIn.pipelines,
      ...staged.flatMap(({ id }) =>
        times(caps.pipelinesOfObject, (at) => pipelineOf(id, at, at === 0 ? 2 * caps.stepsOfPipeline + 1 : 1)),
      ),
    ],
  };
  const stored = JSON.parse(JSON.stringify(model)) as Json;
  expect(await checkStored(organization, stored)).toEqual(stored);
});
