/** Makes audit entries of a call: their author, and how the call came in. */
import type { Call, CallOrigin } from '../../access/call.ts';
import type { StatementScope } from '../../access/workspace.ts';
import { appendAudit, type Book } from '../../audit/append.ts';
import type { AuditAuthor } from '../../audit/event.ts';
import type { Clock } from '../../lib/clock.ts';
import type { DoorRequest } from './request-context.ts';

interface Parts extends Pick<Book, 'keyring'> {
  readonly clock: Clock;
}

/** Makes `Call.audit` for one attempt. Writes of the demo's past are not audited. */
export function auditOf(
  { keyring, clock }: Parts,
  { caller, model }: StatementScope,
  request: DoorRequest,
): Call['audit'] {
  const book = { organization: { id: model.organizationId, schema: model.schema }, keyring };
  // On the machine itself there is no token, and the caller is an admin who may not know of the command.
  const isOperator = request.source === 'cli' && caller.tokenId === null;
  const author: AuditAuthor = {
    actorId: isOperator ? null : caller.workspaceUserId,
    means: meansOf[request.source] ?? 'system',
    agent: request.agent ?? null,
    tokenId: caller.tokenId,
    request: request.requestId ?? null,
    address: request.address ?? null,
  };
  return (tx, action, subject) => {
    if (request.happened !== undefined) return;
    tx.atEnd((run) => appendAudit(run, book, author, { action, subject }, clock.now()));
  };
}

const meansOf: Partial<Readonly<Record<CallOrigin, AuditAuthor['means']>>> = {
  api: 'api',
  tool: 'mcp',
  agent: 'agent',
  cli: 'cli',
};
