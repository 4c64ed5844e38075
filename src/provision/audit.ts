/** The audit of an organization as provisioning writes and proves it. */
import { appendAudit } from '../audit/append.ts';
import type { AuditAuthor, AuditEvent } from '../audit/event.ts';
import { verifyAudit, type Verdict } from '../audit/verify.ts';
import { errors } from '../errors.ts';
import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/sql.ts';
import type { ProvisionDeps } from './deps.ts';

/** Leaves an entry, for what is done without a call: sign-ins, users, tokens. To be the last of the transaction that does it. */
export function leaveAudit(
  { keyring, clock }: Pick<ProvisionDeps, 'keyring' | 'clock'>,
  tx: Queryable,
  { id, schema }: { readonly id: string; readonly schema: string },
  by: AuditAuthor,
  event: AuditEvent,
): Promise<void> {
  const book = { organization: { id, schema }, keyring };
  return appendAudit((query) => tx.run(statement(query)), book, by, event, clock.now());
}

/** Whether the audit is whole; `noted` is a head that was told before. Throws NOT_FOUND, VALIDATION_ERROR, UNAVAILABLE. */
export async function proveAudit(
  { directory, keyring }: ProvisionDeps,
  organizationId: string,
  noted?: string,
): Promise<Verdict> {
  const [, seq, hash] = /^(\d{1,18}):([\w-]{43})$/.exec(noted?.trim() ?? '') ?? [];
  if (noted !== undefined && (seq === undefined || hash === undefined))
    throw errors.validation('head must be one that kith audit verify has printed, such as 17:… with 43 signs');
  const organization = await directory.requireOrganization(organizationId);
  const database = await directory.databaseOf(organization);
  const { id, schema } = organization;
  const known = seq === undefined || hash === undefined ? undefined : { seq, hash };
  return verifyAudit(database, { organization: { id, schema }, keyring }, known);
}
