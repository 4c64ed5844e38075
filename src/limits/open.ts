/** Opens the limiter of a serving process. */
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
  /** Undefined without a store. */
  readonly storeUrl: string | undefined;
  readonly nameKey: Uint8Array;
  /** Counts if there is no store, and counts strict policies while the store is unavailable. */
  readonly here: Limiter;
  readonly log: Log;
}

/** Opens the limiter, with the store if there is one. It is closed with `resources`. */
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

/** Why the store does not count; undefined if it does. */
export async function storeTrouble(url: string): Promise<string | undefined> {
  let trouble: string | undefined;
  const changed = (_isUp: boolean, reason?: string) => void (trouble = reason);
  const store = await openStore({ url, script: windowScript, trial: trialRun, log: noLog, changed });
  store.close();
  return trouble;
}
