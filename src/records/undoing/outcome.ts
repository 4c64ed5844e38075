/** The outcome of an undo per record: restored, or left with a reason. */
import type { KithError } from '../../errors.ts';

/**
 * `changed_since`: by somebody else. `not_allowed`: the role may not write it. `in_trash`: it has to be restored
 * first. `duplicate`: another record has the unique value now. `does_not_fit`: the old value is no longer valid, or
 * its target is gone.
 */
export type Reason = 'changed_since' | 'not_allowed' | 'in_trash' | 'duplicate' | 'does_not_fit';

export const reasons: readonly Reason[] = ['changed_since', 'not_allowed', 'in_trash', 'duplicate', 'does_not_fit'];

/** A record that was left, or some of its fields. */
export interface LeftRecord {
  readonly object: string;
  readonly id: string;
  readonly reason: Reason;
  /** The left fields; absent for the whole record. */
  readonly fields?: readonly string[];
  readonly message?: string;
}

/** The outcome for records of one object. A record with restored and left fields is in both parts. */
export class Outcome {
  readonly undone = new Set<string>();
  /** By record id. */
  readonly left = new Map<string, readonly LeftRecord[]>();
  readonly #object: string;

  constructor(object: string) {
    this.#object = object;
  }

  /** Records why the record, or its fields, were left. */
  leave(id: string, reason: Reason, fields: readonly string[] = [], message?: string): void {
    const one = { object: this.#object, id, reason };
    const left = { ...one, ...(fields.length > 0 && { fields }), ...(message !== undefined && { message }) };
    this.left.set(id, [...(this.left.get(id) ?? []), left]);
  }

  /** As `leave`, for a refused write. */
  refuse(id: string, { code, message }: KithError): void {
    const reasons = { DUPLICATE_RECORD: 'duplicate', PERMISSION_DENIED: 'not_allowed' } as const;
    this.leave(id, code in reasons ? reasons[code as keyof typeof reasons] : 'does_not_fit', [], message);
  }

  /** Adds the outcome of a further step. */
  add(other: Outcome): void {
    for (const id of other.undone) this.undone.add(id);
    for (const [id, left] of other.left) this.left.set(id, [...(this.left.get(id) ?? []), ...left]);
  }
}
