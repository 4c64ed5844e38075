/** Changes links of a record one by one, so that concurrent changes by others are kept. */
import { kith } from '../api/kith.ts';
import { written } from '../app/changes.ts';
import type { Catalogue } from '../i18n/catalogue.ts';
import { isObject, textIn } from './shapes.ts';

interface LinkChange {
  readonly object: string;
  readonly id: string;
  /** The name of the field. */
  readonly field: string;
  /** The old value, and the new one. */
  readonly before: unknown;
  readonly after: unknown;
  readonly notice: Parameters<typeof written>[1];
  readonly shell: Catalogue['shell'];
}

/** Adds and removes the links that differ. Throws the service's error. */
export async function changeLinks({ object, id, field, before, after, notice, shell }: LinkChange): Promise<void> {
  const [was, is] = [linkedIds(before), linkedIds(after)];
  const steps = [
    { action: 'add_relation' as const, ids: is.filter((one) => !was.includes(one)) },
    { action: 'remove_relation' as const, ids: was.filter((one) => !is.includes(one)) },
  ];
  for (const { action, ids } of steps) {
    if (ids.length === 0) continue;
    const answer = kith.bulk.update({
      action,
      object_name: object,
      relation_field: field,
      record_ids: [id],
      target_ids: ids,
    });
    const outcome = await written(answer, notice, shell);
    const [refused] = 'errors' in outcome ? outcome.errors : [];
    if (refused) throw new Error(refused.reason);
  }
}

/** The ids of linked records, in order. */
export function linkedIds(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => textIn(isObject(one) ? one['id'] : one) ?? []);
}
