/** One message of an agent, or several, and what is answered: as a surface hands them over and gets them back. */
import type { KithError } from '../errors.ts';
import type { RequestContext } from '../operations/door/request-context.ts';
import type { Session } from '../operations/door/sessions.ts';

export interface AgentRequest {
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What was sent, as JSON; undefined where nothing was. */
  readonly body: unknown;
  /** What is wrong with the body where something in it cannot be stored. */
  readonly problem?: KithError;
  readonly session: Session;
  /** Its `signal` is aborted when whoever asked has left. */
  readonly context: Omit<RequestContext, 'source' | 'warnings' | 'agent' | 'changeSet' | 'writeMode'>;
}

export interface AgentAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In pieces; undefined where there is none. Budgets that were used are known by the time it begins. */
  readonly body: AsyncIterable<string> | undefined;
}

/** Answers one exchange. Throws UNAUTHORIZED and UNAVAILABLE; of all else the answer tells. */
export type AnswerAgent = (request: AgentRequest) => Promise<AgentAnswer>;
