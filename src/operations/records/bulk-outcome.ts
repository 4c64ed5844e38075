/** The outcome of a bulk request or of its job. [spec: Bulk] */
import { Type, type Static } from 'typebox';
import { shortened, type KithError } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { ChangedMany } from '../../records/writing/change-many.ts';
import type { BulkInput } from './bulk-change.ts';

type Action = BulkInput['action'];

const mostErrors = 50;

/** The outcome so far, as a job stores it. */
export const Tally = Type.Object({
  /** Records, or removed links. */
  changed: Type.Integer(),
  failed: Type.Integer(),
  errors: Type.Array(Type.Object({ id: Type.String(), reason: Type.String() }), { maxItems: mostErrors }),
});
export type Tally = Static<typeof Tally>;

export const nothingYet: Tally = { changed: 0, failed: 0, errors: [] };

/** The tally plus the outcome of further records; `ids` gives the order of the reasons. */
export function tallied(
  object: ObjectDef,
  tally: Tally,
  action: Action,
  { changed, unlinked, refusals }: ChangedMany,
  ids: readonly string[],
): Tally {
  const refused = ids.filter((id) => refusals.has(id)).slice(0, mostErrors - tally.errors.length);
  const errors = refused.map((id) => ({ id: shortened(id), reason: reasonOf(object, refusals.get(id)) }));
  return {
    changed: tally.changed + (action === 'remove_relation' ? unlinked : changed),
    failed: tally.failed + refusals.size,
    errors: [...tally.errors, ...errors],
  };
}

/** The reason for a refused record. The outcome has no field errors, so it names the fields itself. */
function reasonOf(object: ObjectDef, error: KithError | undefined): string {
  const { code, message = '', fieldErrors = [] } = error ?? {};
  if (code !== 'MISSING_REQUIRED_FIELDS' || fieldErrors.length === 0) return message;
  return `${message}: ${fieldErrors.map(({ field }) => object.attributes.get(field)?.label ?? field).join(', ')}`;
}

const counters = {
  update_field: 'updated',
  add_relation: 'processed',
  remove_relation: 'removed',
  delete: 'deleted',
  restore: 'restored',
} as const;

/** The outcome in the answer. */
export const BulkOutcome = Type.Object({
  action: Type.String({ enum: Object.keys(counters) }),
  updated: Type.Optional(Type.Integer({ description: 'Of update_field: records' })),
  processed: Type.Optional(Type.Integer({ description: 'Of add_relation: records' })),
  removed: Type.Optional(Type.Integer({ description: 'Of remove_relation: links that went' })),
  deleted: Type.Optional(Type.Integer({ description: 'Of delete: records' })),
  restored: Type.Optional(Type.Integer({ description: 'Of restore: records' })),
  failed: Type.Integer({ description: 'Records that are as they were' }),
  errors: Tally.properties.errors,
  total: Type.Integer({
    description: 'record_ids supplied, or records that match; for remove_relation, times target_ids',
  }),
});

/** The answer for a request of `count` records. */
export function outcomeOf({ action, target_ids: targets }: BulkInput, tally: Tally, count: number) {
  return {
    action,
    [counters[action]]: tally.changed,
    failed: tally.failed,
    errors: tally.errors,
    total: totalOf(action, targets, count),
  };
}

/** The answer's `total` for `count` records. */
export function totalOf(action: Action, targets: readonly string[] | undefined, count: number): number {
  return action === 'remove_relation' ? count * (targets?.length ?? 0) : count;
}
