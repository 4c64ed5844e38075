/** What the REST surface remembers of a request between its hooks and its answer. */
import type { LimitDecision } from '../limits/limiter.ts';
import type { Session } from '../operations/door/sessions.ts';
import type { IssuerOf } from './issuer.ts';

/** The bytes of one body, which are held while something is at work on it. */
export interface BodyShare {
  begin(): void;
  end(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Budgets that the request used, in the order of counting. */
    limitDecisions: LimitDecision[];
    /** Null until the request is authenticated. */
    session: Session | null;
    /** When its body had come in, by `performance.now()`; the beginning of its time. Undefined where it has none. */
    arrivedAt: number | undefined;
    /** How much of its body is held; undefined where it has none. */
    bodyShare: BodyShare | undefined;
  }
  interface FastifyContextConfig {
    /** On routes that stand in for the methods that a path does not have: those it has. */
    readonly allow?: readonly string[];
    /** On routes that end in `*`: what may stand for it. All else is no path. */
    readonly below?: ReadonlySet<string>;
    /** On pages for people that are more than documents: they take forms, and their addresses are counted. */
    readonly isPage?: true;
    /** On routes of the protocol of apps, which send no cookies: a form that any page could send does nothing there. */
    readonly takesForm?: true;
    /** On routes whose body may be a file itself. */
    readonly takesFile?: true;
    /** On routes whose bodies are signed: they come as bytes, whatever they say to be. */
    readonly takesBytes?: true;
    /** On routes that say by themselves what of a body could not be stored. */
    readonly takesUnstorable?: true;
  }
  interface FastifyInstance {
    /** Where apps ask for access, for whoever sent the request; absent where they cannot. */
    readonly issuerOf?: IssuerOf;
  }
}
