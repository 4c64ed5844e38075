/** One call: in whose name, on which model, at what time. Neither an operation nor the engine sees anything else of the outside. */
import type { AuditAction, AuditSubject } from '../audit/event.ts';
import type { KithError } from '../errors.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { QueryContext } from '../query/context.ts';
import type { CursorSigner } from '../query/cursor.ts';
import type { Caller } from './caller.ts';
import type { Doors } from './doors.ts';
import type { Policies } from './policies.ts';
import type { Workspace, WorkspaceTransaction } from './workspace.ts';

/** How the call came in; history keeps it as its `means`. */
export type Source = 'api' | 'import' | 'tool' | 'agent' | 'cli' | 'demo' | 'job' | 'merge' | 'undo';

/** Texts under the organization's data key, each bound to its place: a name that tells it from all others. */
export interface Vault {
  seal(text: string, place: string): string;
  open(sealed: string, place: string): string;
}

/** A budget of requests, as its caller is told. */
export interface BudgetState {
  readonly policy: string;
  /** What it counts together, in words. */
  readonly countedPer: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** Null while nobody can tell. */
  readonly remaining: number | null;
  /** Epoch seconds at which the oldest request leaves the window; null as above. */
  readonly reset: number | null;
}

export interface Call extends QueryContext {
  readonly caller: Caller;
  /** What the caller may see, and what it may change. */
  readonly visibility: Policies;
  /** The organization's database: each statement through it is checked against token, user, role, model and epoch. */
  readonly workspace: Workspace;
  /** Aborted when the request is out of time, or its caller has left. The workspace ends with it; long work elsewhere looks at it. */
  readonly signal: AbortSignal;
  /**
   * Does a further part of work that commits several times, with the call as it is by then: whoever the caller has become is
   * checked anew, and the part begins again where it has committed nothing. What fails undoes nothing that was committed before.
   */
  part<T>(work: (call: Call) => Promise<T>): Promise<T>;
  /**
   * Does what reaches the outside: like a commit, nothing of the call is begun again from then on, and if it fails, its outcome
   * is not known. Throws an Error in an operation whose effect is not `external`.
   */
  sendOut<T>(work: () => Promise<T>): Promise<T>;
  /** The way to hosts that tenants name; what is sent goes through `sendOut`. */
  readonly outgoing: Outgoing;
  /** What leads into the organization: tokens and invitations. */
  readonly doors: Doors;
  /** Counts one message that really goes out against the caller's budget, beside what the operation costs. Throws RATE_LIMITED. */
  countSend(): Promise<void>;
  /** What is left of the budgets that count the caller, and of that of the address as the request found it; none where limits are off. */
  budgets(): Promise<readonly BudgetState[]>;
  readonly source: Source;
  /** Ties together in history what belongs together: the writes of one call, or of one file. */
  readonly changeSet: string;
  /** For a job that goes on with the call's work: the id of its change set, unless the client has chosen that. */
  readonly jobId: string;
  /** Called by what writes something that history keeps under `changeSet`; absent where nobody asks. */
  readonly leaves?: () => void;
  /** The id of the operation. */
  readonly operation: string;
  /** As the answer's `X-Request-Id` has it; undefined where there was no request. */
  readonly request?: string;
  /** Where the client has called the service, such as `https://crm.example`, by its own account; undefined where it did not by HTTP. */
  readonly calledAt?: string;
  /** The agent that calls in the user's name, by its own account. */
  readonly agent?: string;
  /** Whether `now` is a time before, which history says then, too: only where the service itself enters a past. */
  readonly isPast: boolean;
  /** Whether all that it writes is undone at the end: a dry run. */
  readonly isTrial?: true;
  /** Signs the cursors that leave with a page. */
  readonly signer: CursorSigner;
  /** What the organization's data key seals and opens, given as `_organization` has it. Throws UNAVAILABLE where the secret is not at hand. */
  vault(dataKey: string): Vault;
  /** Leaves an entry in the organization's audit, as the last of the transaction that does what it tells of: with it, or not at all. */
  audit(tx: Pick<WorkspaceTransaction, 'atEnd'>, action: AuditAction, subject: AuditSubject): void;
  /** Has the organization's jobs looked at by `at` (milliseconds) when the call is over: one was asked for with what it changed. */
  wake(at: number): void;
  /** Something the caller should know beside the answer; becomes a `Warning` header. */
  warn(message: string): void;
  /** A part of the work failed, which the answer tells in words: what is behind it is for the log, as behind an error that is thrown. */
  report(error: KithError): void;
}
