/** Links of a record to others: each is added and taken away by itself, so that what others do to the rest meanwhile stays. */
import { kith } from '../api/kith.ts';
import { written } from '../app/changes.ts';
import type { Catalogue } from '../i18n/catalogue.ts';
import { isObject, textIn } from './shapes.ts';

interface LinkChange {
  readonly object: string;
  readonly id: string;
  /** The name of the field. */
  readonly field: string;
  /** The value as it was, and as it is to be. */
  readonly before: unknown;
  readonly after: unknown;
  readonly told: Parameters<typeof written>[1];
  readonly shell: Catalogue['shell'];
}

/** Adds and takes away what differs. Throws what the service says against it. */
export async function changeLinks({ object, id, field, before, after, told, shell }: LinkChange): Promise<void> {
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
    const outcome = await written(answer, told, shell);
    const [refused] = 'errors' in outcome ? outcome.errors : [];
    if (refused) throw new Error(refused.reason);
  }
}

/** The ids of linked records, in their order. */
export function linkedIds(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => textIn(isObject(one) ? one['id'] : one) ?? []);
}
