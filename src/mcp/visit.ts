/** What an exchange uses of Kith: the caller, operations, and texts to insert. */
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Perform } from '../operations/door/perform.ts';
import type { RequestContext } from '../operations/door/request-context.ts';
import { bucketOf } from '../limits/buckets.ts';
import { count, type Limiter } from '../limits/limiter.ts';
import { KithError } from '../errors.ts';
import { getMe } from '../operations/people/me.ts';
import { requireToolScope } from '../tools/model-texts.ts';
import { newTurn, type Turn } from '../tools/turn.ts';
import { agentName, sessionHeader } from './agent-name.ts';
import type { AgentRequest } from './exchange.ts';
import { Splices } from './splices.ts';

export interface VisitParts {
  readonly perform: Perform;
  /** Absent if limits are off. */
  readonly limiter: Limiter | undefined;
}

/** One exchange with an agent. */
export class Visit {
  readonly splices = new Splices();
  /** Set if the token turned out to be invalid: then the whole exchange is refused. */
  refusal: KithError | undefined;
  /** Whether an operation has checked the caller. */
  hasPerformed = false;
  readonly #parts: VisitParts;
  readonly #request: AgentRequest;

  constructor(parts: VisitParts, request: AgentRequest) {
    this.#parts = parts;
    this.#request = request;
  }

  /** Checks the caller if no operation does. Throws UNAUTHORIZED. */
  async attend(): Promise<void> {
    const { session, context } = this.#request;
    this.hasPerformed = true;
    await this.#parts.perform(getMe, session, () => ({}), { ...context, source: 'tool', warnings: [] });
  }

  /**
   * Counts a call and runs `work` in a turn of its own, until the client disconnects. Throws RATE_LIMITED,
   * PERMISSION_DENIED for a token without the scope, and what `work` throws.
   */
  async take<T>({ mcpReq }: ServerContext, work: (turn: Turn) => Promise<T>): Promise<T> {
    const { session, context, headers } = this.#request;
    const agent = agentName(mcpReq.envelope, headers[sessionHeader]);
    const { caller } = session;
    const ofVisit: Omit<RequestContext, 'warnings'> = {
      ...context,
      source: 'tool',
      signal: mcpReq.signal,
      ...(agent !== undefined && { agent }),
    };
    try {
      await count(this.#parts.limiter, [bucketOf('api:global', caller)], context.limitDecisions);
      requireToolScope(caller);
      const { perform } = this.#parts;
      return await work(
        newTurn((operation, input, ofTurn) => {
          this.hasPerformed = true;
          return perform(operation, session, input, { ...ofVisit, ...ofTurn });
        }),
      );
    } catch (error) {
      if (error instanceof KithError && error.code === 'UNAUTHORIZED') this.refusal = error;
      throw error;
    }
  }

  /** Logs the cause of an error. */
  report(error: KithError): void {
    this.#request.context.report(error);
  }
}
