/** What the door knows of a request beside who calls, which operation, and its input. */
import type { CallOrigin } from '../../access/call.ts';
import type { KithError } from '../../errors.ts';
import type { LimitDecision } from '../../limits/limiter.ts';
import type { RequestTime } from './request-time.ts';
import type { WriteMode } from './write-mode.ts';

/** What a surface knows; the door adds to `limitDecisions` and `warnings`. */
export interface RequestContext {
  readonly source: CallOrigin;
  /** IANA name from the `Time-Zone` header; the organization's when absent. */
  readonly timeZone?: string;
  /** Given where several calls are one change: the batches of a file. */
  readonly changeSet?: string;
  /** Whether the client has chosen it: it must not be somebody else's. */
  readonly isChangeSetChosen?: boolean;
  /** As the answer tells it. */
  readonly requestId?: string;
  /** Where it has called the service, by its own account: scheme, host and port. */
  readonly calledAt?: string;
  /** Where the client is, as budgets count it; absent where it is on this machine without a network. */
  readonly address?: string;
  /** The agent that calls in the user's name, by its own account. */
  readonly agent?: string;
  /** Bytes of records that the answer may have: lists end early, with their cursor. As many as answers have when absent. */
  readonly mostBytes?: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
  /** Aborted when the surface is about to close: what goes on for as long as somebody listens ends then. */
  readonly closing?: AbortSignal;
  /** When its time began, by `performance.now()`: to read what was sent is a part of it. From now on when absent. */
  readonly since?: number;
  /** Budgets that the request used, in the order of counting. */
  readonly limitDecisions: LimitDecision[];
  /** Becomes `Warning` headers. */
  readonly warnings: string[];
  /** When it happened, in milliseconds, where the service itself enters a past; no surface gives it. Now when absent. */
  readonly happened?: number;
  /** Called when something is written that history keeps under the change set. */
  readonly onHistoryWritten?: () => void;
  /** Puts what is behind an error into the log. Called when the answer is there, for what failed of a part of it. */
  report(error: KithError): void;
  /** How a write is carried out, plainly when it gives nothing. Called when the input was found right; may throw VALIDATION_ERROR. */
  writeMode?(): Promise<WriteMode | undefined>;
}

/** A request at the door. */
export interface Asked extends RequestContext {
  /** Called rather than given, so that what is wrong with it is told only to a caller that is still one. */
  readonly input: () => unknown;
  readonly time: RequestTime;
  /** What failed of a part of the answer; an attempt that begins anew forgets those of the last. */
  readonly failures: KithError[];
}
