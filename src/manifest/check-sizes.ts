/** Checks that the fields of every object, with the rules of each role, fit into one statement. */
import { inSlices, mapInSlices } from '../lib/slices.ts';
import type { Model, ObjectDef, RoleDef } from '../model/model.ts';
import { granted } from '../access/policies.ts';
import { mostPartsOfRecord } from '../query/budget.ts';
import { partsOfRule, partsUnder, sizeOfReading, together, type Size } from '../query/measure.ts';
import { placeOf, type Draft } from './draft.ts';
import type { Problems } from './problems.ts';

/** In slices, as the rules of a hundred roles for two hundred objects take a while. */
export async function checkSizes(model: Model, draft: Draft, problems: Problems): Promise<void> {
  const objects = [...model.objects.values()];
  const sizes = new Map(await mapInSlices(objects, (object) => [object, sizeOfRecord(model, object)] as const));
  for (const [object, { parts }] of sizes) {
    if (parts > mostPartsOfRecord) problems.add(placeOf(draft, object.id, object.name), tooMuch(object, parts));
  }
  for (const role of model.roles.values()) {
    if (!role.isAdmin) await checkRole(model, role, sizes, placeOf(draft, role.id, `roles.${role.name}`), problems);
  }
}

function sizeOfRecord(model: Model, object: ObjectDef): Size {
  return together([...object.attributes.values()].map((field) => sizeOfReading(model, object, field)));
}

async function checkRole(
  model: Model,
  role: RoleDef,
  sizes: ReadonlyMap<ObjectDef, Size>,
  place: string,
  problems: Problems,
): Promise<void> {
  const rules = new Map(
    await mapInSlices(sizes.keys(), (object) => [object.name, partsOfView(model, role, object)] as const),
  );
  await inSlices(sizes, ([object, size]) => {
    const parts = partsUnder(size, (name) => rules.get(name) ?? 0);
    if (size.parts <= mostPartsOfRecord && parts > mostPartsOfRecord) {
      problems.add(`${place}.permissions`, `${tooMuch(object, parts)}, each with this role's rule for it`);
    }
  });
}

function partsOfView(model: Model, role: RoleDef, object: ObjectDef): number {
  const rule = granted(role, object.name, 'view') ?? 'none';
  return rule === 'own' ? 2 : partsOfRule(model, object, rule);
}

function tooMuch({ name }: ObjectDef, parts: number): string {
  const [is, most] = [parts, mostPartsOfRecord].map((count) => count.toLocaleString('en'));
  return (
    `makes what a record of ${name} shows ${is} parts; ${most} can be read at once: ` +
    'the expressions of its computed fields count, and the names of the records that it leads to'
  );
}
