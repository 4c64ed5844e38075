/** The service's client, in the name of the signed-in user. */
import { createClient, KithError } from '../../../client/index.js';
import { takeAhead } from './ahead.ts';
import { noteWait } from './patience.ts';
import { lookForService } from './reach.ts';
import { noteSession } from './session.ts';

/** Longest wait for a rate-limited request. */
const longestWaitSeconds = 60;

let madeFor: string | undefined;

/** Restricts further requests to this user: if the browser's session changes, a tab left open does not act for another user. */
export function speakFor(workspaceUserId: string): void {
  madeFor = workspaceUserId;
}

/** The user of that restriction; undefined before the user is known. */
export function speaksFor(): string | undefined {
  return madeFor;
}

/** The client, with all operations. The browser sends the session cookie. */
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
    noteSession(answer.status !== 401);
    const wait = answer.status === 429 ? Number(answer.headers.get('retry-after')) : 0;
    if (wait > 0 && wait <= longestWaitSeconds) noteWait(wait, init.method !== 'GET');
    return answer;
  },
});

/** The error's message, for people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The service's errors of single fields; empty for any other error. */
export function fieldErrorsOf(error: unknown): KithError['fieldErrors'] {
  return error instanceof KithError ? error.fieldErrors : [];
}

/** The message for this field. */
export function fieldErrorOf(error: unknown, name: string): string | undefined {
  return fieldErrorsOf(error).find(({ field }) => field === name)?.message;
}

/** Whether the service answered that nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof KithError && error.code === 'UNAUTHORIZED';
}

/** Whether there was no answer: the service or this machine is offline. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof KithError && (error.code === 'CONNECTION_FAILED' || error.code === 'TIMEOUT');
}

/** Whether the request can be repeated later: there was no answer, or nobody is signed in. */
export function isToBeKept(error: unknown): boolean {
  return isUnreachable(error) || isSignedOut(error);
}

/** The id of the request in the service's log, for people to quote. */
export function requestIdOf(error: unknown): string | undefined {
  return error instanceof KithError ? error.requestId : undefined;
}
