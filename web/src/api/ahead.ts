/**
 * What a page is going to ask for is asked for before its modules are there: by the script of the build that runs first, and
 * that remembers what each address asked for when it was opened last.
 */
import { remember, remembered } from '../app/remembered.ts';
import { onBack } from './reach.ts';

interface Ahead {
  /** Answers by what was asked for. */
  readonly asked: Map<string, Promise<Response>>;
  keepOthers(): void;
}

declare global {
  /** Of the script that runs first; while somebody works on the application there is none. */
  var kithAhead: Ahead | undefined;
}

const key = 'kith-ahead';
const mostAddresses = 30;
/** Beside the workspace, a page has few questions before it shows something. */
const mostPaths = 12;
/** What every address asks for is remembered under this one. */
const anyAddress = '';

/** The paths that were asked for since the page was opened, until it stands. */
let opening: Set<string> | undefined = new Set();

/** What was asked for ahead, once; undefined where it was not, or was refused. Rejects where the signal is aborted. */
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
 * Begins to remember, once the workspace is known: what was asked for until now every page needs. Gives what ends it, when the
 * page stands. It is remembered for this user alone, and without what filters and searches say.
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
