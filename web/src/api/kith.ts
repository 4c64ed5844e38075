/** The service, by its own client, in the name of whoever is signed in. */
import { createClient, KithError } from '../../../client/index.js';
import { takeAhead } from './ahead.ts';
import { tellWait } from './patience.ts';
import { lookForService } from './reach.ts';
import { tellSession } from './session.ts';

/** A request waits so long for its turn at most. */
const longestWaitSeconds = 60;

let madeFor: string | undefined;

/** From here on requests are good for this user alone: a tab that was left open does not follow its session elsewhere. */
export function speakFor(workspaceUserId: string): void {
  madeFor = workspaceUserId;
}

/** For whom that is; undefined before anybody is known. */
export function speaksFor(): string | undefined {
  return madeFor;
}

/** All operations. The session goes along by itself. */
export const kith = createClient({
  baseUrl: location.origin,
  token: null,
  maxRetries: 2,
  maxWaitMs: (longestWaitSeconds + 1) * 1000,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  async fetch(url, init) {
    const headers = new Headers(init.headers);
    if (madeFor !== undefined) headers.set('made-for', madeFor);
    const ahead = init.method === 'GET' ? await takeAhead(url, init.signal) : undefined;
    if (ahead) return ahead;
    const answer = await fetch(url, { ...init, headers }).catch((error: unknown) => {
      if (init.signal?.aborted !== true) void lookForService();
      throw error;
    });
    tellSession(answer.status !== 401);
    const wait = answer.status === 429 ? Number(answer.headers.get('retry-after')) : 0;
    if (wait > 0 && wait <= longestWaitSeconds) tellWait(wait, init.method !== 'GET');
    return answer;
  },
});

/** What went wrong, in words for people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the service said of single fields; of anything else nothing. */
export function fieldErrorsOf(error: unknown): KithError['fieldErrors'] {
  return error instanceof KithError ? error.fieldErrors : [];
}

/** What it said of this field. */
export function fieldErrorOf(error: unknown, name: string): string | undefined {
  return fieldErrorsOf(error).find(({ field }) => field === name)?.message;
}

/** Whether the service said that nobody is signed in any more. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof KithError && error.code === 'UNAUTHORIZED';
}

/** Whether nothing was answered: the service is away, or this machine is. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof KithError && (error.code === 'CONNECTION_FAILED' || error.code === 'TIMEOUT');
}

/** Whether the same can be sent again later: nothing was answered, or nobody is signed in just now. */
export function isToBeKept(error: unknown): boolean {
  return isUnreachable(error) || isSignedOut(error);
}

/** The address of the request in the service's log; people quote it. */
export function requestIdOf(error: unknown): string | undefined {
  return error instanceof KithError ? error.requestId : undefined;
}
