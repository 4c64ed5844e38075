/** What the primary and its workers say to each other, over the channel that they were started with. */
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
  /** The address that the primary listens at, by its own account. */
  | { readonly kind: 'serves'; readonly url: string }
  /** Comes with a connection that the primary has accepted, unless it is lost on the way: in a worker that has no descriptor left. */
  | { readonly kind: 'connection' }
  /** Follows it without one. */
  | { readonly kind: 'sent' }
  /** What is not finished so many milliseconds from now is broken off. */
  | { readonly kind: 'stop'; readonly withinMillis: number };

export type ToPrimary =
  | { readonly kind: 'ready' }
  /** The message is a sentence for the operator. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'take'; readonly claims: readonly LimitClaim[] }
  | { readonly kind: 'pulse' }
  /** Of a connection that was sent: whether it came. */
  | { readonly kind: 'confirmed'; readonly came: boolean }
  | { readonly kind: 'measured'; readonly id: number; readonly measured: Measured }
  | { readonly kind: 'gather'; readonly id: number };
