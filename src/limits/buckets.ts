/** Whose budget a request uses: what the key of a policy makes of whoever sends it. [spec: Rate limits, identity key] */
import { rowOf, type Known, type PolicyId, type policyTable } from './policies.ts';

/** One budget of one identity. */
export interface Bucket {
  readonly policy: PolicyId;
  readonly identity: string;
  /** Buckets that one request may use together have the same: a cluster keeps them in one place. */
  readonly group: string;
}

type Row<P extends PolicyId> = (typeof policyTable)[P];
/** What has to be known for the policy; of what has a substitute, either. */
export type KnownFor<P extends PolicyId> =
  Row<P> extends { readonly elseKey: readonly (infer E extends keyof Known)[] }
    ? Pick<Known, E> & Partial<Known>
    : Pick<Known, Row<P>['key'][number]> & Partial<Known>;

/** The bucket of whoever is `known` under the policy. */
export function bucketOf<P extends PolicyId>(policy: P, known: KnownFor<P>): Bucket {
  return bucketBy(policy, known);
}

/** The same where only whoever made `known` is sure that it is enough. Throws an Error where it is not. */
export function bucketBy(policy: PolicyId, known: Partial<Known>): Bucket {
  const { key, elseKey } = rowOf(policy);
  const identity = identityBy(key, known) ?? identityBy(elseKey ?? [], known);
  if (identity === undefined) throw new Error(`${policy} counts by what is not known: ${key.join(', ')}`);
  return { policy, identity, group: known.organizationId ?? identity };
}

/** Undefined where a part of it is not known. */
function identityBy(key: readonly (keyof Known)[], known: Partial<Known>): string | undefined {
  let identity: string | undefined;
  for (const name of key) {
    const part = known[name];
    if (part === undefined) return undefined;
    // One mailbox has one spelling here; what else is compared is written by the service itself.
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
