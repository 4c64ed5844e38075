/** The limiter of a process that serves. */
import type { Log } from '../lib/log.ts';
import { openStore } from '../store/store.ts';
import { noteStore } from './counts.ts';
import { rememberingDenials } from './denials.ts';
import { createStoreLimiter, trialRun } from './in-store.ts';
import type { Limiter } from './limiter.ts';
import type { Policies } from './policies.ts';
import { strictly } from './strict.ts';
import { windowScript } from './window-script.ts';

export interface LimiterParts {
  readonly policies: Policies;
  /** Undefined where there is no store. */
  readonly storeUrl: string | undefined;
  readonly nameKey: Uint8Array;
  /** Counts where there is no store; and strict policies while it does not answer. */
  readonly here: Limiter;
  readonly log: Log;
}

/** Counts in the store where there is one. What it opens is closed with `resources`. */
export async function openLimiter(
  { policies, storeUrl, nameKey, here, log }: LimiterParts,
  resources: AsyncDisposableStack,
): Promise<Limiter> {
  if (storeUrl === undefined) return here;
  const store = await openStore({
    url: storeUrl,
    script: windowScript,
    trial: trialRun,
    log,
    changed: (isUp) => noteStore(isUp),
  });
  resources.defer(() => store.close());
  return strictly(rememberingDenials(createStoreLimiter({ policies, store, nameKey })), here);
}

const noLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Why a store does not count; undefined where it does. */
export async function storeTrouble(url: string): Promise<string | undefined> {
  let trouble: string | undefined;
  const changed = (_isUp: boolean, reason?: string) => void (trouble = reason);
  const store = await openStore({ url, script: windowScript, trial: trialRun, log: noLog, changed });
  store.close();
  return trouble;
}
