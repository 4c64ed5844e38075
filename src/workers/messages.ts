/** The messages between the primary and its workers, over their IPC channel. */
import type { Config } from '../config.ts';
import type { Measured } from '../http/metrics.ts';
import type { LimitClaim, ClaimAnswer } from '../limits/remote.ts';
import type { Connection } from '../postgres/session.ts';

export type ToWorker =
  | { readonly kind: 'start'; readonly config: Config; readonly connection: Connection }
  | { readonly kind: 'limitDecisions'; readonly answers: readonly ClaimAnswer[] }
  | { readonly kind: 'measure'; readonly id: number }
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string }
  | { readonly kind: 'pulse' }
  /** The primary's URL. */
  | { readonly kind: 'serves'; readonly url: string }
  /** Carries an accepted connection, unless it is lost: in a worker without a free descriptor. */
  | { readonly kind: 'connection' }
  /** Follows a connection as a plain message. */
  | { readonly kind: 'sent' }
  /** Requests unfinished after so many milliseconds are aborted. */
  | { readonly kind: 'stop'; readonly withinMillis: number };

export type ToPrimary =
  | { readonly kind: 'ready' }
  /** The message is a sentence for the operator. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'take'; readonly claims: readonly LimitClaim[] }
  | { readonly kind: 'pulse' }
  /** Whether the sent connection arrived. */
  | { readonly kind: 'confirmed'; readonly came: boolean }
  | { readonly kind: 'measured'; readonly id: number; readonly measured: Measured }
  | { readonly kind: 'gather'; readonly id: number };
