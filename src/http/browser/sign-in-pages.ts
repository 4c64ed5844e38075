/**
 * Sign-in, signup, invitations, choosing an organization, and signing out. Only a button uses a link up, since mail
 * scanners open links, too.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { KithError } from '../../errors.ts';
import { messageForLog } from '../../lib/thrown.ts';
import type { PublicOperation } from '../../operations/door/operation.ts';
import { lookAtLink, requestMagicLink, requestSignup, takeLink, isOwnPath } from '../../operations/people/sign-in.ts';
import { isSecret } from '../../signin/secret-text.ts';
import type { From } from '../../signin/use-link.ts';
import { countedAddress } from '../client-address.ts';
import type { Html } from '../escaped.ts';
import { demoPeople } from './demo-door.ts';
import { doorPage } from './layout.ts';
import { addPage, orAgain, type PageAnswer, type PageParts, type Visit } from './page-route.ts';
import { badLink, choice, linkPage, sentTo, signInForm, signupForm } from './sign-in-forms.ts';

/** The path to continue at by default. */
const home = '/';

/** Adds the pages. */
export function addSignInPages(app: FastifyInstance, parts: PageParts): void {
  const { browser, version } = parts;
  const door = (title: string, content: Html) => doorPage(title, content, version);
  const demoFor = async (request: FastifyRequest) => (await demoPeople(parts, request))[0]?.organizationName;
  addPage(app, parts, 'GET', '/signin', async ({ request, asked }) => {
    const next = ownPath(asked('next'));
    if (await browser.find(request)) return { goTo: next ?? home };
    return door('Sign in', signInForm({ next, demo: await demoFor(request) }));
  });
  addPage(app, parts, 'POST', '/signin', async (visit) => {
    const [email, next] = [visit.given('email'), ownPath(visit.given('next'))];
    browser.requireSafeWay(visit.request);
    return orAgain(
      async () => {
        await publicly(parts, visit, requestMagicLink, { email, ...(next !== undefined && { next }) });
        return { goTo: '/signin/sent' };
      },
      (wrong) => door('Sign in', signInForm({ email, next, wrong })),
    );
  });
  addPage(app, parts, 'GET', '/signin/sent', async () =>
    door('Look into your mailbox', sentTo(parts.mailsToFiles === true)),
  );
  addPage(app, parts, 'GET', '/signup', async () => door('Create an organization', signupForm({})));
  addPage(app, parts, 'POST', '/signup', async (visit) => {
    const [name, email, organization] = ['name', 'email', 'organization_name'].map(visit.given);
    browser.requireSafeWay(visit.request);
    return orAgain(
      async () => {
        await publicly(parts, visit, requestSignup, { name, email, organization_name: organization });
        return { goTo: '/signin/sent' };
      },
      (wrong) => door('Create an organization', signupForm({ name, email, organization, wrong })),
    );
  });
  for (const path of ['/signin/link', '/invite']) addLinkPages(app, parts, path);
  addChoicePages(app, parts);
  addPage(app, parts, 'POST', '/signout', async ({ request, reply, given }) => {
    const session = await browser.find(request);
    if (session) {
      const { sessions } = parts.signIn;
      await (given('everywhere') === 'yes' ? sessions.endAll(session.personId) : sessions.end(session.id));
      // Signing out succeeds even if the organization cannot be informed.
      if (session.place)
        await parts.signIn.audit(session.place, 'signout', fromOf(request)).catch((error: unknown) => {
          parts.log.warn({ reason: messageForLog(error) }, 'A sign-out is not in the audit');
        });
    }
    browser.keep(request, reply, undefined);
    return { goTo: '/signin' };
  });
}

/** The page of a mailed link, and its button. */
function addLinkPages(app: FastifyInstance, parts: PageParts, path: string): void {
  const { browser, version, signIn } = parts;
  const show = async (visit: Visit, token: string, wrong?: string): Promise<PageAnswer> => {
    if (!isSecret(token)) return noSuchLink(version);
    try {
      const link = await publicly(parts, visit, lookAtLink, { token });
      const [title, content] = linkPage(path, token, link, wrong);
      return doorPage(title, content, version);
    } catch (error) {
      return noLink(error, version);
    }
  };
  addPage(app, parts, 'GET', path, (visit) => show(visit, visit.asked('token') ?? ''));
  addPage(app, parts, 'POST', path, async (visit) => {
    const [token, name] = [visit.given('token'), visit.given('name')];
    const { request, reply } = visit;
    browser.requireSafeWay(request);
    if (!isSecret(token)) return noSuchLink(version);
    return orAgain(
      async () => {
        try {
          const { personId, place, next } = await publicly(parts, visit, takeLink, {
            token,
            ...(name !== '' && { name }),
          });
          const before = await browser.find(request);
          if (before) await signIn.sessions.end(before.id);
          if (place) await signIn.audit(place, 'signin', fromOf(request));
          browser.keep(request, reply, await signIn.sessions.begin(personId, place));
          const goOn = ownPath(next) ?? home;
          return { goTo: place ? goOn : `/signin/organization?next=${encodeURIComponent(goOn)}` };
        } catch (error) {
          return noLink(error, version);
        }
      },
      (wrong) => show(visit, token, wrong),
    );
  });
}

const fromOf = (request: FastifyRequest): From => ({ request: request.id, address: countedAddress(request) });

/** The page for a refused link. Rethrows any other error. */
function noLink(error: unknown, version: string): PageAnswer {
  if (!(error instanceof KithError) || error.code !== 'UNAUTHORIZED') throw error;
  return noSuchLink(version);
}

const noSuchLink = (version: string): PageAnswer => ({
  page: doorPage('This link does not work any more', badLink, version),
  status: 401,
});

function addChoicePages(app: FastifyInstance, parts: PageParts): void {
  const { browser, signIn, version } = parts;
  addPage(app, parts, 'GET', '/signin/organization', async ({ request, asked }) => {
    const session = await browser.find(request);
    if (!session) return { goTo: '/signin' };
    const places = await signIn.workplacesOf(session.personId);
    return doorPage('Choose an organization', choice(places, ownPath(asked('next')) ?? home), version);
  });
  addPage(app, parts, 'POST', '/signin/organization', async ({ request, given }) => {
    const session = await browser.find(request);
    if (!session) return { goTo: '/signin' };
    const places = await signIn.workplacesOf(session.personId);
    const chosen = places.find(({ organizationId }) => organizationId === given('organization'));
    if (!chosen) return { goTo: '/signin/organization' };
    await signIn.audit(chosen, 'signin', fromOf(request));
    await signIn.sessions.choose(session.id, chosen);
    return { goTo: ownPath(given('next')) ?? home };
  });
}

/** Performs a public operation, as the REST interface does. */
const publicly: Publicly = (parts, { request, context }, operation, input) =>
  parts.perform(operation, { address: countedAddress(request) }, () => input, context);

type Publicly = <Result extends object>(
  parts: Pick<PageParts, 'perform'>,
  visit: Visit,
  operation: PublicOperation<TSchema, Result>,
  input: object,
) => Promise<Result>;

function ownPath(path: string | undefined): string | undefined {
  return path !== undefined && isOwnPath(path) ? path : undefined;
}
