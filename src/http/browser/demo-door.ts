/** Demo sign-in: on the machine itself, one click signs a visitor in as one of the demo's people. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DemoVisitor } from '../../demo/demo-visitor.ts';
import { errors } from '../../errors.ts';
import { countedAddress, isFromHere } from '../client-address.ts';
import { html, type Html } from '../escaped.ts';
import { addPage, type PageParts } from './page-route.ts';

const path = '/demo';

/** The demo's people if the visitor may sign in; else none. */
export async function demoPeople(
  { demo, browser }: PageParts,
  request: FastifyRequest,
): Promise<readonly DemoVisitor[]> {
  return demo && isFromHere(request) && browser.isOfThisMachine(request) ? demo.people() : [];
}

/** Adds the form. */
export function addDemoDoor(app: FastifyInstance, parts: PageParts): void {
  const { browser, signIn } = parts;
  addPage(app, parts, 'POST', path, async ({ request, reply, given }) => {
    const people = await demoPeople(parts, request);
    const person = people.find(({ place }) => place.workspaceUserId === given('person'));
    if (!person) throw errors.permissionDenied('One comes in like this to a demo on the machine itself alone');
    const before = await browser.find(request);
    if (before) await signIn.sessions.end(before.id);
    await signIn.audit(person.place, 'signin', { request: request.id, address: countedAddress(request) });
    browser.keep(request, reply, await signIn.sessions.begin(person.personId, person.place));
    return { goTo: '/' };
  });
}

/** A card for each person; the middle one is recommended, `current` is signed in. */
export function demoCards(people: readonly DemoVisitor[], current?: string): Html | undefined {
  if (people.length === 0) return undefined;
  const cards = people.map((person, at) => {
    const { name, role, sees, facts, place } = person;
    const first = name.split(' ', 1)[0] ?? name;
    const isCurrent = place.workspaceUserId === current;
    const initials = name
      .split(' ')
      .flatMap((word) => word[0] ?? [])
      .slice(0, 2)
      .join('');
    return html`<form class="card" method="post" action="${path}">
      <input type="hidden" name="person" value="${place.workspaceUserId}" />
      <div class="person"><span class="avatar" aria-hidden="true">${initials}</span><div><h2><bdi>${name}</bdi></h2><p class="dim"><bdi>${role}</bdi></p></div></div>
      <p class="dim">${sees}</p>
      <dl>${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
      ${isCurrent ? html`<p class="dim now">You look as ${first}</p>` : html`<button${at === 1 && current === undefined ? html` class="main"` : undefined}>Look around as ${first}</button>`}
    </form>`;
  });
  return html`<section class="people" aria-label="Look around as">${cards}</section>`;
}
