/** WebDAV requests to calendar servers. RFC 4918 */
import type { Call } from '../../access/call.ts';
import { AsideProblem } from '../../lib/aside.ts';
import { ChannelFailure, failureOf, firstLine } from '../channel-failure.ts';
import type { CalendarServerSettings } from '../imap/imap-settings.ts';
import { withCredentials, type Credentials } from '../mail/credentials.ts';
import type { Multistatus } from './multistatus.ts';
import { readMultistatusAside } from './multistatus-aside.ts';

/** The URL and credentials of a calendar server. */
export type DavServer = CalendarServerSettings;

/** A WebDAV request with an XML body. */
export interface DavRequest {
  readonly method: 'PROPFIND' | 'REPORT';
  readonly url: string;
  readonly depth: '0' | '1';
  readonly body: string;
}

/** A parsed multistatus answer. */
export interface DavAnswer extends Multistatus {
  /** The URL that answered, after redirects. */
  readonly url: string;
}

type OutgoingAnswer = Awaited<ReturnType<Call['outgoing']['request']>>;

/** An answer of the server other than the expected one, such as 401 or 404. */
export class DavRefusal extends ChannelFailure {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message, status === 401);
    this.status = status;
  }
}

const timeoutMs = 60_000;
const maxBytes = 16 * 1024 * 1024;
const mostRedirects = 5;

/**
 * Sends a request, following redirects. Throws DavRefusal with the status of an unexpected answer; ChannelFailure if the server
 * cannot be reached, or with a cause if its answer is too large or cannot be parsed.
 */
export async function askDav(call: Call, server: DavServer, request: DavRequest): Promise<DavAnswer> {
  let { url } = request;
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const current = url;
    const answer = await withCredentials(call, server, (proof) => sent(call, proof, { ...request, url: current }));
    const next = redirectOf(answer, url);
    if (next === undefined) return { ...(await readAnswer(call, answer, url)), url };
    url = next;
  }
  throw new ChannelFailure(`${hostOf(url)} redirects too many times`);
}

async function sent(call: Call, proof: Credentials, { method, url, depth, body }: DavRequest) {
  const headers = { authorization: authorizationOf(proof), depth, 'content-type': 'application/xml; charset=utf-8' };
  const request = { url, method, headers, body, isPlainForNamedOnly: true };
  const answer = await call.outgoing
    .request(request, { signal: call.signal, timeoutMs, maxBytes })
    .catch((error: unknown) => {
      call.signal.throwIfAborted();
      throw failureOf(error, (message) => `${hostOf(url)} by CalDAV: ${message}`);
    });
  if (answer.status !== 401) return answer;
  const what = 'accessToken' in proof ? 'the access token' : 'user and password';
  throw new DavRefusal(`${hostOf(url)} does not accept ${what}`, answer.status);
}

function authorizationOf(proof: Credentials): string {
  if ('accessToken' in proof) return `Bearer ${proof.accessToken}`;
  return `Basic ${Buffer.from(`${proof.user}:${proof.password}`).toString('base64')}`;
}

/** The target of a redirect; undefined for other answers. Throws ChannelFailure if the target gives up TLS. */
function redirectOf({ status, headers }: OutgoingAnswer, from: string): string | undefined {
  if (![301, 302, 307, 308].includes(status)) return undefined;
  const to = URL.parse(headers.location ?? '', from);
  if (!to) return undefined;
  return resolvedUrl(from, to.href);
}

/** Resolves a URL that the server names. Throws ChannelFailure if it gives up TLS, since the credentials are sent to it. */
export function resolvedUrl(from: string, named: string): string {
  const [base, target] = [new URL(from), URL.parse(named, from)];
  if (!target || (base.protocol === 'https:' && target.protocol !== 'https:'))
    throw new ChannelFailure(`${base.hostname} leads to an address without TLS`);
  return target.href;
}

async function readAnswer(call: Call, { status, body }: OutgoingAnswer, url: string): Promise<Multistatus> {
  const host = hostOf(url);
  if (status !== 207) throw new DavRefusal(`${host} answers with status ${status}${wordsIn(body)}`, status);
  try {
    return await readMultistatusAside(body, { organizationId: call.model.organizationId, signal: call.signal });
  } catch (error) {
    if (error instanceof AsideProblem) throw new ChannelFailure(`The answer of ${host} ${error.message}`, false, error);
    throw error;
  }
}

function wordsIn(body: Buffer): string {
  const words = firstLine(body.subarray(0, 2_000).toString());
  return words === '' || words.startsWith('<') ? '' : `: ${words}`;
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? url;
}
