/**
 * What a page is going to ask for is asked for before its modules are there: by the script of the build that runs first, and
 * that remembers what each address asked for when it was opened last.
 */
import { remember, remembered } from '../app/remembered.ts';

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

/** The address that the page was opened with, and what it has asked for since; undefined once it stands. */
let opening: { readonly address: string; readonly paths: Set<string> } | undefined = {
  address: location.pathname + location.search,
  paths: new Set(),
};

/** What was asked for ahead, once; undefined where it was not, or was refused. Rejects where the signal is aborted. */
export async function takeAhead(url: string, signal: AbortSignal | null | undefined): Promise<Response | undefined> {
  const path = url.slice(location.origin.length);
  opening?.paths.add(path);
  const answer = globalThis.kithAhead?.asked.get(path);
  if (!answer) return undefined;
  globalThis.kithAhead?.asked.delete(path);
  const found = await answer.catch(() => undefined);
  signal?.throwIfAborted();
  return found?.ok === true ? found : undefined;
}

/** The page stands: what it has asked for is remembered for its address, for this user alone. */
export function rememberAhead(user: string): void {
  if (!opening) return;
  const { address, paths } = opening;
  opening = undefined;
  globalThis.kithAhead?.asked.clear();
  const others = byAddressOf(user).filter(([one]) => one !== address);
  const byAddress = [[address, [...paths].slice(0, mostPaths)], ...others.slice(0, mostAddresses - 1)];
  remember(key, JSON.stringify({ user, byAddress }));
  globalThis.kithAhead?.keepOthers();
}

function byAddressOf(user: string): readonly (readonly [address: string, paths: readonly string[]])[] {
  try {
    const known = JSON.parse(remembered(key) ?? '{}');
    return known.user === user && Array.isArray(known.byAddress) ? known.byAddress : [];
  } catch {
    return [];
  }
}
