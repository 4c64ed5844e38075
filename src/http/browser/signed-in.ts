/** Pages of signed-in people: a visitor without a session signs in first and then continues. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { KithError } from '../../errors.ts';
import { isObject, parseJson, type Json, type JsonObject } from '../../lib/json.ts';
import { whole } from '../../lib/long-text.ts';
import { html, type Html } from '../escaped.ts';
import { bucketOf } from '../../limits/buckets.ts';
import { count } from '../../limits/limiter.ts';
import { JsonText, type Answer, type Operation } from '../../operations/door/operation.ts';
import type { Session } from '../../operations/door/sessions.ts';
import { getReader } from '../../operations/workspace/reader.ts';
import type { BrowserSession } from '../../signin/browser-sessions.ts';
import { addPage, type PageAnswer, type PageParts, type Visit } from './page-route.ts';
import { doorPage, madeFor, type Reader } from './layout.ts';

/** A visit of a signed-in person. */
export interface OwnVisit extends Visit {
  /** Performs an operation in the person's name. */
  perform<Result extends Answer>(operation: Operation<TSchema, Result>, input: object): Promise<Result>;
  /** The first page of a list. */
  page(operation: Operation, input: object): Promise<ListPage>;
  reader(): Promise<Reader>;
}

interface ListPage {
  readonly data: readonly JsonObject[];
  readonly total: number;
}

/** Adds a page that requires a session. */
export function addOwnPage(
  app: FastifyInstance,
  parts: PageParts,
  method: 'GET' | 'POST',
  path: string,
  handle: (visit: OwnVisit) => Promise<PageAnswer>,
): void {
  addPage(app, parts, method, path, (visit) => asOwn(parts, visit, path, handle));
}

/** Handles a visit in the name of the session's person; without a session it redirects to sign-in. */
export async function asOwn(
  parts: PageParts,
  visit: Visit,
  path: string,
  handle: (visit: OwnVisit) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const { limiter, perform, signIn } = parts;
  const entry = await enter(parts, visit.request, path);
  if ('goTo' in entry) return entry;
  const { found, session } = entry;
  await count(limiter, [bucketOf('api:global', session.caller)], visit.context.limitDecisions);
  const { workspaceUserId } = session.caller;
  if (visit.request.method === 'POST' && visit.given(madeFor) !== workspaceUserId) {
    const content = staleForm(session.model.organizationName, path);
    return { page: doorPage('Nothing was changed', content, parts.version), status: 409 };
  }
  const performed: OwnVisit['perform'] = (operation, input) => perform(operation, session, () => input, visit.context);
  return handle({
    ...visit,
    perform: performed,
    async page(operation, input) {
      const answer = await performed(operation, input);
      if (!(answer instanceof JsonText)) throw new Error(`${operation.id} answers no ready text`);
      return listPage(parseJson(whole(answer.text)));
    },
    async reader() {
      const { displayFields, ...rest } = await performed(getReader, {});
      const { length } = await signIn.provision.directory.organizationsOf(found.personId, 2);
      return { ...rest, workspaceUserId, hasOthers: length > 1, displayFields: new Map(Object.entries(displayFields)) };
    },
  });
}

/** The caller of a page; without a session in an organization, a redirect to sign-in that returns to `here`. */
export async function enter(
  { browser, sessions }: Pick<PageParts, 'browser' | 'sessions'>,
  request: FastifyRequest,
  here: string,
): Promise<{ readonly found: BrowserSession; readonly session: Session } | { readonly goTo: string }> {
  const next = `next=${encodeURIComponent(here)}`;
  const found = await browser.find(request);
  if (!found) return { goTo: `/signin?${next}` };
  try {
    return { found, session: await sessions.ofBrowser(found) };
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== 'UNAUTHORIZED') throw error;
    return { goTo: `/signin/organization?${next}` };
  }
}

function listPage(answer: Json): ListPage {
  const { data, total } = isObject(answer) ? answer : {};
  const rows = (Array.isArray(data) ? data : []).filter((one): one is JsonObject => isObject(one));
  return { data: rows, total: Number(total ?? rows.length) };
}

/** A text of an answer; '' for any other type. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Shown for a form of an outdated page: the reader has changed the user or organization since. */
function staleForm(organization: string, here: string): Html {
  return html`<h1>Nothing was changed</h1>
    <p>The page that you sent this from was made for another organization or person. By now you work in <strong><bdi>${organization}</bdi></strong>.</p>
    <p class="foot"><a href="${here}">Open the page for <bdi>${organization}</bdi></a>, or <a href="/signin/organization">choose an organization</a>.</p>`;
}

/** A time in UTC. */
export function dateText(time: Json | undefined): string {
  return typeof time === 'string' ? `${time.slice(0, 10)} ${time.slice(11, 16)} UTC` : '';
}
