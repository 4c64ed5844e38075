/** What a call leaves in the audit: in whose name, and by what means it came in. */
import type { Call, CallOrigin } from '../../access/call.ts';
import type { Place } from '../../access/workspace.ts';
import { appendAudit, type Book } from '../../audit/append.ts';
import type { AuditAuthor } from '../../audit/event.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Asked } from './request-context.ts';

interface Parts extends Pick<Book, 'keyring'> {
  readonly clock: Clock;
}

/** Gives what `Call.audit` is at a place. A past that is entered is of the demo, which nobody answers for. */
export function auditOf({ keyring, clock }: Parts, { caller, model }: Place, asked: Asked): Call['audit'] {
  const book = { organization: { id: model.organizationId, schema: model.schema }, keyring };
  // Who works at the machine itself has no token, and works in the hands of an admin who may know nothing of it.
  const isOperator = asked.source === 'cli' && caller.tokenId === null;
  const author: AuditAuthor = {
    actorId: isOperator ? null : caller.workspaceUserId,
    means: meansOf[asked.source] ?? 'system',
    agent: asked.agent ?? null,
    tokenId: caller.tokenId,
    request: asked.requestId ?? null,
    address: asked.address ?? null,
  };
  return (tx, action, subject) => {
    if (asked.happened !== undefined) return;
    tx.atEnd((run) => appendAudit(run, book, author, { action, subject }, clock.now()));
  };
}

const meansOf: Partial<Readonly<Record<CallOrigin, AuditAuthor['means']>>> = {
  api: 'api',
  tool: 'mcp',
  agent: 'agent',
  cli: 'cli',
};
