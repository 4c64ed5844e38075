/**
 * Takes answers to requests that the script of the build (`web/build/ahead-script.js`) sent before the page's modules were
 * loaded. It remembers which requests each address made when it was last opened.
 */
import { remember, remembered } from '../app/remembered.ts';
import { onBack } from './reach.ts';

interface Ahead {
  /** Pending answers by path. */
  readonly asked: Map<string, Promise<Response>>;
  keepOthers(): void;
}

declare global {
  /** Set by that script; undefined under the development server. */
  var kithAhead: Ahead | undefined;
}

const key = 'kith-ahead';
const mostAddresses = 30;
/** Most requests remembered per page, besides those for the workspace. */
const mostPaths = 12;
/** Requests that every address makes are remembered under this key. */
const anyAddress = '';

/** The paths requested since the page was opened, until it is complete. */
let opening: Set<string> | undefined = new Set();

/** The answer that was requested ahead, once; undefined if there is none or it was refused. Rejects if the signal is aborted. */
export async function takeAhead(url: string, signal: AbortSignal | null | undefined): Promise<Response | undefined> {
  const path = url.slice(location.origin.length);
  opening?.add(path);
  const answer = globalThis.kithAhead?.asked.get(path);
  if (!answer) return undefined;
  globalThis.kithAhead?.asked.delete(path);
  const found = await answer.catch(() => undefined);
  signal?.throwIfAborted();
  return found?.ok === true ? found : undefined;
}

/**
 * Starts to remember requests. Call it when the workspace is known: requests until then are needed by every page. Returns a
 * function that ends it when the page is complete. Requests are remembered per user, without filters and searches.
 */
export function beginAhead(user: string): () => void {
  const always = [...(opening ?? [])];
  const address = location.pathname;
  const isPlain = location.search === '';
  return () => {
    if (!opening) return;
    const paths = [...opening].slice(0, mostPaths);
    opening = undefined;
    globalThis.kithAhead?.asked.clear();
    const own = isPlain ? [[address, paths] as const] : [];
    const others = byAddressOf(user).filter(([one]) => one !== anyAddress && one !== own[0]?.[0]);
    const byAddress = [[anyAddress, always], ...own, ...others].slice(0, mostAddresses);
    remember(key, JSON.stringify({ user, byAddress }));
    const keepOthers = () => globalThis.kithAhead?.keepOthers();
    keepOthers();
    onBack(keepOthers);
  };
}

function byAddressOf(user: string): readonly (readonly [address: string, paths: readonly string[]])[] {
  try {
    const known = JSON.parse(remembered(key) ?? '{}');
    return known.user === user && Array.isArray(known.byAddress) ? known.byAddress : [];
  } catch {
    return [];
  }
}
