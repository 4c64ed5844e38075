/** One call: its caller, model and time. It is all that operations and the engine see of the outside. */
import type { AuditAction, AuditSubject } from '../audit/event.ts';
import type { KithError } from '../errors.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { QueryContext } from '../query/context.ts';
import type { CursorSigner } from '../query/cursor.ts';
import type { Caller } from './caller.ts';
import type { OrganizationGateway } from './organization-gateway.ts';
import type { Policies } from './policies.ts';
import type { Workspace, WorkspaceTransaction } from './workspace.ts';

/** How the call came in; history stores it as `means`. */
export type CallOrigin = 'api' | 'import' | 'tool' | 'agent' | 'cli' | 'demo' | 'job' | 'merge' | 'undo';

/** Encrypts texts with the organization's data key, each bound to `place`, a unique name of where it is stored. */
export interface Vault {
  seal(text: string, place: string): string;
  open(sealed: string, place: string): string;
}

/** A budget of requests, as reported to the caller. */
export interface BudgetState {
  readonly policy: string;
  /** What is counted together, in words. */
  readonly countedPer: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** Null while the count is unknown. */
  readonly remaining: number | null;
  /** Epoch seconds at which the oldest request leaves the window; null while unknown. */
  readonly reset: number | null;
}

export interface Call extends QueryContext {
  readonly caller: Caller;
  /** What the caller may see, and what it may change. */
  readonly visibility: Policies;
  /** The organization's database: each statement through it is checked against token, user, role, model and epoch. */
  readonly workspace: Workspace;
  /** Aborted on timeout or when the client has disconnected. The workspace honours it; other long work must check it. */
  readonly signal: AbortSignal;
  /**
   * Runs one further transaction of an operation that commits several times. The caller is loaded and checked again, and the part
   * is repeated if the caller was stale. A failure undoes nothing that was committed before.
   */
  part<T>(work: (call: Call) => Promise<T>): Promise<T>;
  /**
   * Runs work with an effect outside the database. As after a commit, the call is not repeated afterwards; if the work fails, its
   * outcome is unknown. Throws an Error in an operation whose effect is not `external`.
   */
  sendOut<T>(work: () => Promise<T>): Promise<T>;
  /** Connections to hosts that tenants name; use it within `sendOut`. */
  readonly outgoing: Outgoing;
  /** Tokens, invitations and provider hooks of the organization. */
  readonly gateway: OrganizationGateway;
  /** Counts one outgoing message against the caller's send budget, besides the operation's own cost. Throws RATE_LIMITED. */
  countSend(): Promise<void>;
  /** The state of the caller's budgets, and of the address's at the start of the request; empty if limits are off. */
  budgets(): Promise<readonly BudgetState[]>;
  readonly source: CallOrigin;
  /** Groups history entries: the writes of one call, or of one imported file. */
  readonly changeSet: string;
  /** The id for a job that continues the call's work: the change set, unless the client chose that one. */
  readonly jobId: string;
  /** Called when a history entry is written under `changeSet`. */
  readonly onHistoryWritten?: () => void;
  /** The id of the operation. */
  readonly operation: string;
  /** The `X-Request-Id` of the answer; undefined without a request. */
  readonly request?: string;
  /** The origin by which the client calls the service, such as `https://crm.example`, unverified; undefined if not by HTTP. */
  readonly calledAt?: string;
  /** The name, as given by itself, of an agent that calls in the user's name. */
  readonly agent?: string;
  /** Whether `now` is in the past and history uses it too; only the demo does so. */
  readonly isPast: boolean;
  /** Set for a dry run: all writes are rolled back at the end. */
  readonly isTrial?: true;
  /** Signs page cursors. */
  readonly signer: CursorSigner;
  /** The vault of `dataKey`, as `_organization` stores it. Throws UNAVAILABLE if the installation's secret is missing. */
  vault(dataKey: string): Vault;
  /** Appends an audit entry at the end of the transaction whose change it records. */
  audit(tx: Pick<WorkspaceTransaction, 'atEnd'>, action: AuditAction, subject: AuditSubject): void;
  /** Has the organization's jobs polled at `at` (milliseconds) once the call is over, because it enqueued one. */
  wake(at: number): void;
  /** Adds a `Warning` header to the answer. */
  warn(message: string): void;
  /** Logs the cause of a partial failure that the answer itself reports. */
  report(error: KithError): void;
}
