/** Contents of the sign-in pages: forms, and the states of a link. */
import type { GoodLink } from '../../signin/sign-in.ts';
import type { NamedWorkplace } from '../../signin/workplaces.ts';
import { html, type Html } from '../escaped.ts';
import { field, problem } from './layout.ts';

interface Typed {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly organization?: string | undefined;
  readonly next?: string | undefined;
  readonly wrong?: string | undefined;
  /** What the demo is called, for whoever may look around in it. */
  readonly demo?: string | undefined;
}

function emailField(email = ''): Html {
  return field(
    'Email',
    html`<input type="email" name="email" value="${email}" autocomplete="email" required maxlength="320" />`,
  );
}

/** The form that requests a sign-in link. */
export function signInForm({ email, next, wrong, demo }: Typed): Html {
  return html`<h1>Sign in to Kith</h1>
    <p class="dim">We send you a link. It works once, for 15 minutes.</p>
    ${problem(wrong)}
    <form method="post" action="/signin">
      ${emailField(email)}
      ${next === undefined ? undefined : html`<input type="hidden" name="next" value="${next}" />`}
      <button class="main">Send the link</button>
    </form>
    <p class="foot">New here? <a href="/signup">Create an organization</a>, or open the link in your invitation.</p>
    ${demo === undefined ? undefined : html`<p class="foot">Just looking? <a href="/">Look around in the demo, <bdi>${demo}</bdi></a>.</p>`}`;
}

/** The form that requests a link to create an organization. */
export function signupForm({ name = '', email, organization = '', wrong }: Typed): Html {
  return html`<h1>Create an organization</h1>
    <p class="dim">We send you a link that creates it and signs you in.</p>
    ${problem(wrong)}
    <form method="post" action="/signup">
      ${field('Your name', html`<input name="name" value="${name}" autocomplete="name" required maxlength="200" />`)}
      ${emailField(email)}
      ${field('Organization', html`<input name="organization_name" value="${organization}" autocomplete="organization" required maxlength="200" />`)}
      <button class="main">Send the link</button>
    </form>
    <p class="foot">Have an account? <a href="/signin">Sign in</a>.</p>`;
}

/** The page after a link was requested. */
export const sentTo = (files: boolean): Html => html`<h1>Look into your mailbox</h1>
  <p>If we can send a link to that address, it is on its way. It works once, for 15 minutes.</p>
  ${files ? html`<p>This service has no mail server: its mails are files in the folder <code>mail</code> of its data.</p>` : undefined}
  <p class="foot">Nothing there? Look for it among the spam, or <a href="/signin">ask for another link</a>.</p>`;

/** The page of an invalid link, whatever the reason. */
export const badLink = html`<h1>This link does not work any more</h1>
  <p>It was used, or its time is over, or another link came after it.</p>
  <p class="foot"><a href="/signin">Ask for a new link</a></p>`;

/** The title and content of the page that a link opens. It shows the address, so that a person with somebody else's link notices. */
export function linkPage(
  path: string,
  token: string,
  link: GoodLink,
  wrong: string | undefined,
): readonly [string, Html] {
  const { purpose, email, organization = '', role = '', inviter = '', name = '' } = link;
  const form = (button: string, more?: Html) => html`<form method="post" action="${path}">
      <input type="hidden" name="token" value="${token}" />${more}
      <button class="main">${button}</button>
    </form>
    <p class="foot">Not you? Close this page, and nothing happens.</p>`;
  if (purpose === 'invitation') {
    const nameField = field(
      'Your name',
      html`<input name="name" value="${name}" autocomplete="name" required maxlength="200" />`,
    );
    return [
      'Invitation',
      html`<h1>Join <bdi>${organization}</bdi></h1>
        <p class="dim"><bdi>${inviter}</bdi> invites you.</p>
        ${problem(wrong)}
        <dl><dt>You are</dt><dd><bdi>${email}</bdi></dd><dt>Role</dt><dd><bdi>${role}</bdi></dd></dl>
        ${form('Join', nameField)}`,
    ];
  }
  const isSignup = purpose === 'signup';
  const title = isSignup ? 'Create your organization' : 'Sign in';
  return [
    title,
    html`<h1>${title}</h1>
      <p>${isSignup ? 'You go on as' : 'You sign in as'} <strong><bdi>${email}</bdi></strong>.</p>
      ${problem(wrong)}
      ${form(isSignup ? 'Create and sign in' : 'Sign in')}`,
  ];
}

/** The choice among organizations, and the path to continue at. */
export function choice(places: readonly NamedWorkplace[], next: string): Html {
  if (places.length === 0) {
    return html`<h1>No organization</h1>
      <p>Your address has no active user in any organization. Ask an administrator of yours.</p>
      <form method="post" action="/signout"><button class="main">Sign out</button></form>`;
  }
  const items = places.map(
    ({ organizationId, organizationName, roleName }) => html`<li>
        <button name="organization" value="${organizationId}"><strong><bdi>${organizationName}</bdi></strong> <span class="dim"><bdi>${roleName}</bdi></span></button>
      </li>`,
  );
  return html`<h1>Choose an organization</h1>
    <form method="post" action="/signin/organization">
      <input type="hidden" name="next" value="${next}" />
      <ul class="choice">${items}</ul>
    </form>`;
}
