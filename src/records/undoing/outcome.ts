/** What became of the records of a change set: those that were put back, and those that were left, with the reason. */
import type { KithError } from '../../errors.ts';

/**
 * `changed_since`: somebody else has. `not_allowed`: the role may not write that. `in_trash`: it has to come out first. `duplicate`:
 * another record has a unique value by now. `does_not_fit`: what was there leads to nothing, or is no value any more.
 */
export type Reason = 'changed_since' | 'not_allowed' | 'in_trash' | 'duplicate' | 'does_not_fit';

export const reasons: readonly Reason[] = ['changed_since', 'not_allowed', 'in_trash', 'duplicate', 'does_not_fit'];

/** A record that was left, or fields of it that were. */
export interface Left {
  readonly object: string;
  readonly id: string;
  readonly reason: Reason;
  /** The fields that were left; absent where it is the whole record. */
  readonly fields?: readonly string[];
  readonly message?: string;
}

/** What became of records of one object. A record of which some fields are put back and others left is among both. */
export class Outcome {
  readonly undone = new Set<string>();
  /** By the ids of records. */
  readonly left = new Map<string, readonly Left[]>();
  readonly #object: string;

  constructor(object: string) {
    this.#object = object;
  }

  /** Says why the record was left, or fields of it. */
  leave(id: string, reason: Reason, fields: readonly string[] = [], message?: string): void {
    const one = { object: this.#object, id, reason };
    const left = { ...one, ...(fields.length > 0 && { fields }), ...(message !== undefined && { message }) };
    this.left.set(id, [...(this.left.get(id) ?? []), left]);
  }

  /** As `leave`, for what a write was refused for. */
  refuse(id: string, { code, message }: KithError): void {
    const told = { DUPLICATE_RECORD: 'duplicate', PERMISSION_DENIED: 'not_allowed' } as const;
    this.leave(id, code in told ? told[code as keyof typeof told] : 'does_not_fit', [], message);
  }

  /** Adds what became of records in a further step. */
  add(other: Outcome): void {
    for (const id of other.undone) this.undone.add(id);
    for (const [id, left] of other.left) this.left.set(id, [...(this.left.get(id) ?? []), ...left]);
  }
}
