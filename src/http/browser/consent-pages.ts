/** The authorization endpoint in the browser, and the consent page. It asks only signed-in people. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errors } from '../../errors.ts';
import { isLoopback } from '../../lib/loopback.ts';
import { queryOf } from '../../lib/query-of.ts';
import { connectApp } from '../../operations/people/connected-apps.ts';
import { getMe, getMyPermissions } from '../../operations/people/me.ts';
import type { OAuthAnswer } from '../../oauth/exchange.ts';
import type { AppRequest, OAuth } from '../../oauth/oauth.ts';
import { hostOf } from '../../oauth/client-metadata.ts';
import { authorizePath, consentPath, scope } from '../../oauth/places.ts';
import { hashOf } from '../../signin/secret-text.ts';
import { countedAddress } from '../client-address.ts';
import { html, type Html } from '../escaped.ts';
import { doorPage, ownForm, problem, type Reader } from './layout.ts';
import { addPage, orAgain, type PageAnswer, type PageParts, type Visit } from './page-route.ts';
import { whatItMayDo } from './consent-words.ts';
import { addOwnPage, type OwnVisit } from './signed-in.ts';

/** Adds the pages. */
export function addConsentPages(app: FastifyInstance, parts: PageParts, oauth: OAuth): void {
  for (const path of [authorizePath, `${authorizePath}/:uid`])
    addPage(app, parts, 'GET', path, (visit) => authorize(parts, oauth, visit));
  const shown = { ...parts, oauth };
  addOwnPage(app, parts, 'GET', consentPath, (visit) => consentPage(shown, visit));
  addOwnPage(app, parts, 'POST', consentPath, (visit) =>
    orAgain(
      () => answered(shown, visit),
      (wrong) => consentPage(shown, visit, wrong),
    ),
  );
}

type Parts = PageParts & { readonly oauth: OAuth };

/** Handles the app's authorization request, and its continuation after the person's answer, in the OAuth library. */
async function authorize(
  { issuerOf, version }: PageParts,
  oauth: OAuth,
  { request, reply }: Visit,
): Promise<PageAnswer> {
  const answer = await oauth.answer(issuerOf(request), {
    method: 'GET',
    path: spelled(request),
    cookie: cookiesOf(request),
    address: countedAddress(request),
  });
  const { location } = answer.headers;
  if (typeof location !== 'string') throw refusalOf(answer);
  // The library's own session cookies are dropped: Kith knows who the person is.
  const cookies = [answer.headers['set-cookie'] ?? []].flat().filter((one) => /^kith_oauth(?:_resume)?=/.test(one));
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  const isAsked = location === consentPath || request.routeOptions.url !== authorizePath;
  if (isAsked || isHere(location)) return { goTo: location };
  // Anyone can register an app: do not redirect to an unknown address without asking.
  return { page: doorPage('Invalid authorization request', notAsked(location), version), status: 400 };
}

/** The path in canonical spelling, as the library expects it. */
function spelled({ raw, routeOptions, params }: FastifyRequest): string {
  const { uid } = params as { readonly uid?: string };
  const path = uid === undefined ? (routeOptions.url ?? '') : `${authorizePath}/${encodeURIComponent(uid)}`;
  return `${path}?${queryOf(raw.url ?? '')}`;
}

/** Whether the address is on the reader's own machine. */
function isHere(location: string): boolean {
  const { protocol, hostname } = new URL(location);
  return protocol === 'http:' && isLoopback(hostname);
}

function notAsked(location: string): Html {
  const { searchParams, hash } = new URL(location);
  const answer = searchParams.has('error') ? searchParams : new URLSearchParams(hash.slice(1));
  return html`<h1>The app sent an invalid authorization request</h1>
    <p>${answer.get('error') ?? ''}: <bdi>${answer.get('error_description') ?? ''}</bdi></p>
    <p class="foot">To let it know, <a href="${location}" rel="noreferrer">go back to <bdi>${hostOf(location)}</bdi></a>, if that is where you came from.</p>`;
}

function refusalOf({ body }: OAuthAnswer): Error {
  const { error = '', error_description: text = '' } = JSON.parse(body) as {
    error?: string;
    error_description?: string;
  };
  return errors.validation(`The app sent an invalid authorization request: ${error}, ${text}`);
}

/** The cookies that identify the pending request of this browser. */
function cookiesOf({ headers }: FastifyRequest): string | undefined {
  const own = headers.cookie?.split(';').filter((one) => /^\s*kith_oauth(?:_resume)?=/.test(one));
  return own?.join(';');
}

interface Question {
  readonly waiting: AppRequest;
  readonly organizationId: string;
  readonly workspaceUserId: string;
  /** Binds the form to this question: browser, person, organization and app. */
  readonly seal: string;
}

/** The pending question; undefined if this browser has none. */
async function question({ browser, oauth, issuerOf }: Parts, visit: OwnVisit): Promise<Question | undefined> {
  const { request } = visit;
  const waiting = await oauth.waiting(issuerOf(request), cookiesOf(request));
  const session = await browser.find(request);
  if (!waiting || !session) return undefined;
  const { organizationId, workspaceUserId } = await visit.perform(getMe, {});
  const seal = hashOf([session.id, organizationId, workspaceUserId, waiting.key].join(' '));
  return { waiting, organizationId, workspaceUserId, seal };
}

async function consentPage(parts: Parts, visit: OwnVisit, wrong?: string): Promise<PageAnswer> {
  const pending = await question(parts, visit);
  if (!pending) return { page: doorPage('No app waits', nothingWaits, parts.version), status: 400 };
  const [reader, permissions] = [await visit.reader(), await visit.perform(getMyPermissions, {})];
  const content = consent(pending, reader, whatItMayDo(permissions), wrong);
  const page = doorPage('Allow access', content, parts.version);
  return { page, status: wrong === undefined ? 200 : 400, formsTo: sourceOf(pending.waiting.redirectUri) };
}

async function answered(parts: Parts, visit: OwnVisit): Promise<PageAnswer> {
  const { oauth, issuerOf } = parts;
  const pending = await question(parts, visit);
  if (!pending) return consentPage(parts, visit);
  if (visit.given('question') !== pending.seal)
    return consentPage(parts, visit, 'This is another question than the one that you answered: look at it again.');
  const [issuer, cookie] = [issuerOf(visit.request), cookiesOf(visit.request)];
  if (visit.given('answer') !== 'yes') return { goTo: await oauth.refuse(issuer, cookie) };
  const { waiting, organizationId, workspaceUserId } = pending;
  const { id } = await visit.perform(connectApp, { app: waiting.app, scopes: [scope] });
  return { goTo: await oauth.allow(issuer, cookie, { organizationId, workspaceUserId, tokenId: id }) };
}

/** Browsers also apply `form-action` to the redirect after a form. */
function sourceOf(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? origin : protocol;
}

const nothingWaits = html`<h1>No app waits for an answer</h1>
  <p>It waits for half an hour, in the browser in which it began. Go back there, or begin again in the app.</p>`;

function consent({ waiting, seal }: Question, reader: Reader, words: readonly Html[], wrong: string | undefined): Html {
  const { app, redirectUri } = waiting;
  const { name, email, organization, role, hasOthers } = reader;
  const document = app.id.startsWith('https://')
    ? html`<p class="dim">It is described at <bdi>${app.id}</bdi>.</p>`
    : undefined;
  return html`<h1>“<bdi>${app.name}</bdi>” wants to act as you</h1>
    <p class="dim">That is what it calls itself; nobody has checked it. Allow it only if you began this in an app that you trust.</p>
    ${document} ${problem(wrong)}
    <dl>
      <dt>You are</dt><dd><bdi>${name}</bdi>, <bdi>${email}</bdi></dd>
      <dt>In</dt><dd><bdi>${organization}</bdi>, as <bdi>${role}</bdi></dd>
      <dt>Goes back to</dt><dd><strong><bdi>${app.host}</bdi></strong></dd>
    </dl>
    <section>
      <h2>It could do what your role allows</h2>
      <ul class="allowed">${words}</ul>
      <p class="hint">Scope: ${scope}. Access lasts until you end it under Settings, Connected apps, or the app is not used for 30 days.</p>
    </section>
    ${ownForm(
      reader,
      consentPath,
      html`<input type="hidden" name="question" value="${seal}" />
      <button name="answer" value="no">Cancel</button>
      <button class="main" name="answer" value="yes">Allow</button>`,
      html` class="answers"`,
    )}
    <p class="foot">You will be sent back to <bdi class="address">${redirectUri}</bdi>.
      ${hasOthers ? html`<a href="/signin/organization?next=${consentPath}">Another organization</a>` : undefined}</p>
    <form method="post" action="/signout"><button class="bare">Not you? Sign out</button></form>`;
}
