/** State of a request between its hooks and its answer. */
import type { LimitDecision } from '../limits/limiter.ts';
import type { Session } from '../operations/door/sessions.ts';
import type { IssuerOf } from './issuer.ts';

/** The bytes of one body, which count while work uses them. */
export interface BodyShare {
  begin(): void;
  end(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The budgets that the request used, in the order of counting. */
    limitDecisions: LimitDecision[];
    /** Null until the request is authenticated. */
    session: Session | null;
    /** When the body had arrived, by `performance.now()`: the start of its deadline. Undefined without a body. */
    arrivedAt: number | undefined;
    /** The counted bytes of the body; undefined without a body. */
    bodyShare: BodyShare | undefined;
  }
  interface FastifyContextConfig {
    /** On routes for the unsupported methods of a path: the supported ones. */
    readonly allow?: readonly string[];
    /** On routes that end in `*`: the values that exist; others are unknown paths. */
    readonly below?: ReadonlySet<string>;
    /** On pages for people other than documents: they take forms and count against the address's budget. */
    readonly isPage?: true;
    /** On OAuth routes, which use no cookies, so that a form of another site does no harm. */
    readonly takesForm?: true;
    /** On routes whose body may be a file. */
    readonly takesFile?: true;
    /** On routes with signed bodies: they are read as bytes, whatever their content type. */
    readonly takesBytes?: true;
    /** On routes that report values that cannot be stored themselves. */
    readonly takesUnstorable?: true;
  }
  interface FastifyInstance {
    /** Finds the issuer for the client of a request; absent without OAuth. */
    readonly issuerOf?: IssuerOf;
  }
}
