/** Writes and verifies an organization's audit for provisioning. */
import { appendAudit } from '../audit/append.ts';
import type { AuditAuthor, AuditEvent } from '../audit/event.ts';
import { verifyAudit, type Verdict } from '../audit/verify.ts';
import { errors } from '../errors.ts';
import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/sql.ts';
import type { ProvisionDeps } from './deps.ts';

/**
 * Adds an entry for an action without a call: sign-ins, users, tokens. Run it last in the transaction of the action.
 */
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

/** Verifies the audit; `noted` is a head that was recorded earlier. Throws NOT_FOUND, VALIDATION_ERROR, UNAVAILABLE. */
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
