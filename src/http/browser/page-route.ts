/** Routes of pages for people: forms are accepted only from pages of this service, and errors are shown as pages. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { KithError } from '../../errors.ts';
import type { Log } from '../../lib/log.ts';
import { queryOf } from '../../lib/query-of.ts';
import type { Limiter } from '../../limits/limiter.ts';
import type { Perform } from '../../operations/door/perform.ts';
import type { RequestContext } from '../../operations/door/request-context.ts';
import { newId } from '../../lib/id.ts';
import { countedAddress } from '../client-address.ts';
import { departureOn } from '../departure.ts';
import { asKithError, report, statusOf, setRetryAfter } from '../errors.ts';
import { html } from '../escaped.ts';
import type { IssuerOf } from '../issuer.ts';
import { setLimitHeaders } from '../limit-headers.ts';
import type { BrowserDoor, People } from './browser-door.ts';
import { pagePolicy } from '../page-head.ts';
import { doorPage } from './layout.ts';

export interface PageParts extends People {
  /** Finds the issuer of app tokens. */
  readonly issuerOf: IssuerOf;
  readonly browser: BrowserDoor;
  readonly perform: Perform;
  readonly limiter: Limiter | undefined;
  readonly log: Log;
  readonly closing: AbortSignal;
  readonly version: string;
}

/** One request for a page. */
export interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The context for the operations that it performs. */
  readonly context: RequestContext;
  /** The service's address, as the visitor uses it. */
  readonly base: string;
  /** A query parameter. */
  asked(name: string): string | undefined;
  /** A form field, trimmed; '' if absent. */
  given(name: string): string;
  /** A form field, untrimmed. */
  verbatim(name: string): string;
}

/** The page's HTML, or a redirect. */
export type PageAnswer = string | { readonly goTo: string } | FullPage;

interface FullPage {
  readonly page: string;
  readonly status: number;
  /** A further form target: a source of the content security policy. */
  readonly formsTo?: string;
}

/** Adds a page at `path`; POST is for forms of this service's pages. */
export function addPage(
  app: FastifyInstance,
  parts: PageParts,
  method: 'GET' | 'POST',
  path: string,
  handle: (visit: Visit) => Promise<PageAnswer>,
): void {
  const { browser, log, version } = parts;
  app.route({
    method,
    url: path,
    config: { isPage: true },
    bodyLimit: 16 * 1024,
    onRequest: async (request) => {
      if (method === 'POST') browser.requireOwnPage(request);
    },
    errorHandler(thrown, request, reply) {
      const error = asKithError(thrown);
      report(log, error, request);
      setRetryAfter(error, reply);
      send(reply, { page: refusalPage(error, version), status: statusOf(error, request) });
    },
    async handler(request, reply) {
      const answer = await handle(visitOf(request, reply, parts));
      if (typeof answer === 'string') send(reply, { page: answer, status: 200 });
      else if ('goTo' in answer) send(reply.header('location', answer.goTo), { page: '', status: 303 });
      else send(reply, answer);
      return reply;
    },
  });
}

function visitOf(request: FastifyRequest, reply: FastifyReply, { log, closing, publicUrl }: PageParts): Visit {
  const query = new URLSearchParams(queryOf(request.raw.url ?? ''));
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  return {
    request,
    reply,
    context: {
      source: 'api',
      address: countedAddress(request),
      requestId: request.id,
      signal: departureOn(request.raw.socket),
      closing,
      limitDecisions: request.limitDecisions,
      warnings: [],
      changeSet: newId(),
      report: (error) => report(log, error, request),
    },
    base: publicUrl ?? `${request.protocol}://${request.host}`,
    asked: (name) => query.get(name) ?? undefined,
    given: (name) => (form.get(name) ?? '').trim(),
    verbatim: (name) => form.get(name) ?? '',
  };
}

function send(reply: FastifyReply, { page, status, formsTo }: FullPage): void {
  setLimitHeaders(reply, reply.request.limitDecisions);
  reply.removeHeader('connection');
  reply
    .code(status)
    .headers({
      'content-security-policy': pagePolicy(`form-action 'self'${formsTo === undefined ? '' : ` ${formsTo}`}`),
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(page);
}

function refusalPage(error: KithError, version: string): string {
  const title = error.code === 'RATE_LIMITED' ? 'Too many attempts' : 'This did not work';
  const text = error.code === 'RATE_LIMITED' ? 'Wait a few minutes, then try again.' : `${error.message}.`;
  return doorPage(title, html`<h1>${title}</h1><p>${text}</p><p><a href="/">Go to the first page</a></p>`, version);
}

/** Runs `work`; an input error is passed to `again`, which shows the form with it. */
export async function orAgain(
  work: () => Promise<PageAnswer>,
  again: (problem: string) => PageAnswer | Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof KithError) || !mistakes.has(error.code)) throw error;
    const shown = await again(`${error.message}.`);
    return typeof shown === 'string' ? { page: shown, status: 400 } : shown;
  }
}

/** Errors that the person can correct. */
const mistakes: ReadonlySet<string> = new Set([
  'VALIDATION_ERROR',
  'MISSING_REQUIRED_FIELD',
  'DUPLICATE_RECORD',
  'RECORD_NOT_FOUND',
  'PERMISSION_DENIED',
  'CONFLICT',
]);
