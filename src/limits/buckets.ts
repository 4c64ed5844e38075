/** Derives the bucket of a request from a policy's key. [spec: Rate limits, identity key] */
import { rowOf, type Known, type PolicyId, type policyTable } from './policies.ts';

/** The budget of one identity. */
export interface Bucket {
  readonly policy: PolicyId;
  readonly identity: string;
  /** Equal for buckets that one request may use together, so that a Redis cluster keeps them on one node. */
  readonly group: string;
}

type Row<P extends PolicyId> = (typeof policyTable)[P];
/** The values needed for a policy: those of its key, or of its substitute. */
export type KnownFor<P extends PolicyId> =
  Row<P> extends { readonly elseKey: readonly (infer E extends keyof Known)[] }
    ? Pick<Known, E> & Partial<Known>
    : Pick<Known, Row<P>['key'][number]> & Partial<Known>;

/** The bucket of a policy for the known values. */
export function bucketOf<P extends PolicyId>(policy: P, known: KnownFor<P>): Bucket {
  return bucketBy(policy, known);
}

/** As `bucketOf`, without a static check that the values suffice. Throws an Error if they do not. */
export function bucketBy(policy: PolicyId, known: Partial<Known>): Bucket {
  const { key, elseKey } = rowOf(policy);
  const identity = identityBy(key, known) ?? identityBy(elseKey ?? [], known);
  if (identity === undefined) throw new Error(`${policy} counts by what is not known: ${key.join(', ')}`);
  return { policy, identity, group: known.organizationId ?? identity };
}

/** The identity; undefined if a value is missing. */
function identityBy(key: readonly (keyof Known)[], known: Partial<Known>): string | undefined {
  let identity: string | undefined;
  for (const name of key) {
    const part = known[name];
    if (part === undefined) return undefined;
    // Addresses have one spelling; other values are written by the service itself.
    const written = name === 'email' ? part.trim().toLowerCase() : part;
    identity = identity === undefined ? written : `${identity} ${written}`;
  }
  return identity;
}

const names: Readonly<Record<keyof Known, string>> = {
  ip: 'IP',
  email: 'email',
  organizationId: 'organization',
  userId: 'user',
  workspaceUserId: 'workspace user',
};

/** What a policy counts together, in words. */
export function countedPer(policy: PolicyId): string {
  const { key, elseKey } = rowOf(policy);
  const named = (parts: readonly (keyof Known)[]) => parts.map((part) => names[part]).join(' + ');
  return elseKey ? `${named(key)}, or ${named(elseKey)}` : named(key);
}
