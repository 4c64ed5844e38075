/** Requests to servers of calendars, by the one way out. RFC 4918 */
import type { Call } from '../../access/call.ts';
import { AsideProblem } from '../../lib/aside.ts';
import { ChannelFailure, failureOf, firstLine } from '../channel-failure.ts';
import type { CalendarServerSettings } from '../imap/imap-settings.ts';
import { withCredentials, type Credentials } from '../mail/credentials.ts';
import type { Multistatus } from './multistatus.ts';
import { readMultistatusAside } from './multistatus-aside.ts';

/** How it is reached. */
export type DavServer = CalendarServerSettings;

export interface DavRequest {
  readonly method: 'PROPFIND' | 'REPORT';
  readonly url: string;
  readonly depth: '0' | '1';
  readonly body: string;
}

export interface DavAnswer extends Multistatus {
  /** Where it came from: a server may send on to another place. */
  readonly url: string;
}

type OutgoingAnswer = Awaited<ReturnType<Call['outgoing']['request']>>;

/** The server has understood, and does not give what was asked for. */
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

/** What the server answers. Throws ChannelFailure: DavRefusal with the status of a refusal, one with a cause where the answer cannot be taken. */
export async function askDav(call: Call, server: DavServer, asked: DavRequest): Promise<DavAnswer> {
  let { url } = asked;
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const place = url;
    const answer = await withCredentials(call, server, (proof) => sent(call, proof, { ...asked, url: place }));
    const next = redirectOf(answer, url);
    if (next === undefined) return { ...(await readAnswer(call, answer, url)), url };
    url = next;
  }
  throw new ChannelFailure(`${hostOf(url)} sends on from one place to the next`);
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

/** Never from a safe connection to one that is not: user and password go along. */
function redirectOf({ status, headers }: OutgoingAnswer, from: string): string | undefined {
  if (![301, 302, 307, 308].includes(status)) return undefined;
  const to = URL.parse(headers.location ?? '', from);
  if (!to) return undefined;
  return placeFrom(from, to.href);
}

/** An address that the server names, as it is asked from there. Throws ChannelFailure where it leads to a connection that is not safe. */
export function placeFrom(from: string, named: string): string {
  const [here, there] = [new URL(from), URL.parse(named, from)];
  if (!there || (here.protocol === 'https:' && there.protocol !== 'https:'))
    throw new ChannelFailure(`${here.hostname} leads to an address without TLS`);
  return there.href;
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
