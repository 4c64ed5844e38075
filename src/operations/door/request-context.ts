/** What the door knows of a request besides the caller, the operation and the input. */
import type { CallOrigin } from '../../access/call.ts';
import type { KithError } from '../../errors.ts';
import type { LimitDecision } from '../../limits/limiter.ts';
import type { RequestTime } from './request-time.ts';
import type { WriteMode } from './write-mode.ts';

/** The request as a surface describes it; the door appends to `limitDecisions` and `warnings`. */
export interface RequestContext {
  readonly source: CallOrigin;
  /** IANA name from the `Time-Zone` header; the organization's when absent. */
  readonly timeZone?: string;
  /** Set if several calls make one change, such as the batches of a file. */
  readonly changeSet?: string;
  /** Whether the client chose `changeSet`; then it must not belong to another user. */
  readonly isChangeSetChosen?: boolean;
  /** The `X-Request-Id` of the answer. */
  readonly requestId?: string;
  /** The origin by which the client called the service, unverified: scheme, host and port. */
  readonly calledAt?: string;
  /** The client's address, as rate limits count it; absent for local calls. */
  readonly address?: string;
  /** The name, as given by itself, of an agent that calls in the user's name. */
  readonly agent?: string;
  /** The most bytes of records in the answer: lists end early, with their cursor. Defaults to the usual size of answers. */
  readonly mostBytes?: number;
  /** Aborted when the client has disconnected. */
  readonly signal?: AbortSignal;
  /** Aborted when the service is about to stop: event streams end then. */
  readonly closing?: AbortSignal;
  /** The start of the deadline, by `performance.now()`, as reading the body counts; defaults to now. */
  readonly since?: number;
  /** The budgets that the request used, in the order of counting. */
  readonly limitDecisions: LimitDecision[];
  /** Sent as `Warning` headers. */
  readonly warnings: string[];
  /** The time of the write, in milliseconds, if the demo writes its past; defaults to now. */
  readonly happened?: number;
  /** Called when a history entry is written under the change set. */
  readonly onHistoryWritten?: () => void;
  /** Logs the cause of a partial failure, once the answer is ready. */
  report(error: KithError): void;
  /** Whether the write is a dry run or idempotent; called after the input was validated. Throws VALIDATION_ERROR. */
  writeMode?(): Promise<WriteMode | undefined>;
}

/** A request at the door. */
export interface DoorRequest extends RequestContext {
  /** A function: the input is read only after the caller was checked. */
  readonly input: () => unknown;
  readonly time: RequestTime;
  /** Partial failures of this attempt; a new attempt starts with none. */
  readonly failures: KithError[];
}
