/** An exchange of protocol messages, as the HTTP surface passes it. */
import type { KithError } from '../errors.ts';
import type { RequestContext } from '../operations/door/request-context.ts';
import type { Session } from '../operations/door/sessions.ts';

export interface AgentRequest {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed body; undefined without one. */
  readonly body: unknown;
  /** The problem of a body with values that cannot be stored. */
  readonly problem?: KithError;
  readonly session: Session;
  /** Its `signal` is aborted when the client has disconnected. */
  readonly context: Omit<RequestContext, 'source' | 'warnings' | 'agent' | 'changeSet' | 'writeMode'>;
}

export interface AgentAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In pieces; undefined without a body. The used budgets are known before it starts. */
  readonly body: AsyncIterable<string> | undefined;
}

/** Answers one exchange. Throws UNAUTHORIZED and UNAVAILABLE; other errors are part of the answer. */
export type AnswerAgent = (request: AgentRequest) => Promise<AgentAnswer>;
