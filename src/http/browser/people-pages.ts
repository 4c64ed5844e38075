/** `/settings/people`: who is in the organization; its admins invite, change and deactivate. */
import type { FastifyInstance } from 'fastify';
import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import { createInvitation, listInvitations, withdrawInvitation } from '../../operations/invitations.ts';
import { listRoles } from '../../operations/roles.ts';
import { listUsers, updateUser } from '../../operations/users.ts';
import { html, type Html } from '../escaped.ts';
import { field, problem, settingsPage } from './layout.ts';
import { orAgain, type PageAnswer, type PageParts } from './page-route.ts';
import { addOwnPage, dateText, type OwnVisit } from './signed-in.ts';

const path = '/settings/people';

/** Adds the page and its forms. */
export function addPeoplePages(app: FastifyInstance, parts: PageParts): void {
  addOwnPage(app, parts, 'GET', path, (visit) => peoplePage(visit, {}));
  const form = (name: string, work: (visit: OwnVisit) => Promise<unknown>) =>
    addOwnPage(app, parts, 'POST', `${path}/${name}`, (visit) =>
      orAgain(
        async (): Promise<PageAnswer> => {
          await work(visit);
          return { goTo: path };
        },
        (wrong) => peoplePage(visit, { wrong, email: visit.given('email'), role: visit.given('role') }),
      ),
    );
  form('invite', ({ perform, given }) => perform(createInvitation, { email: given('email'), role: given('role') }));
  form('withdraw', ({ perform, given }) => perform(withdrawInvitation, { id: given('id') }));
  form('role', ({ perform, given }) => perform(updateUser, { id: given('id'), role: given('role') }));
  form('active', ({ perform, given }) =>
    perform(updateUser, { id: given('id'), is_active: given('is_active') === 'true' }),
  );
}

interface Shown {
  readonly wrong?: string;
  readonly email?: string;
  readonly role?: string;
}

async function peoplePage(visit: OwnVisit, shown: Shown): Promise<string> {
  const reader = await visit.reader();
  const cursor = visit.asked('cursor');
  const page = await visit.read(listUsers, { limit: 200, ...(cursor !== undefined && { cursor }) });
  const { data = [], nextCursor } = isObject(page) ? page : {};
  const users = (Array.isArray(data) ? data : []).filter((one): one is JsonObject => isObject(one));
  const { roles } = await visit.perform(listRoles, {});
  const invitations = reader.isAdmin ? (await visit.perform(listInvitations, {})).data : [];
  return settingsPage(
    path,
    'People',
    reader,
    html`<h1>People</h1>
      ${problem(shown.wrong)} ${peopleTable(users, roles, reader.isAdmin)}
      ${typeof nextCursor === 'string' ? html`<p><a href="${path}?cursor=${encodeURIComponent(nextCursor)}">More people</a></p>` : undefined}
      ${invitations.length === 0 ? undefined : invitationTable(invitations)}
      ${reader.isAdmin ? inviteForm(roles, shown) : undefined}`,
  );
}

type Role = { readonly id: string; readonly name: string };

function roleChoices(roles: readonly Role[], isChosen: (role: Role) => boolean): readonly Html[] {
  return roles.map(
    (role) => html`<option value="${role.name}"${isChosen(role) ? html` selected` : undefined}>${role.name}</option>`,
  );
}

function peopleTable(users: readonly JsonObject[], roles: readonly Role[], isAdmin: boolean): Html {
  const rows = users.map((user) => {
    const id = html`<input type="hidden" name="id" value="${text(user.id)}" />`;
    const name = text(user.name);
    const isActive = user.is_active === true;
    const role = roles.find((one) => one.id === user.role_id);
    const roleCell = isAdmin
      ? html`<form method="post" action="${path}/role">${id}<select name="role" aria-label="Role of ${name}">${roleChoices(roles, (one) => one === role)}</select><button aria-label="Change the role of ${name}">Change</button></form>`
      : html`<bdi>${role?.name ?? ''}</bdi>`;
    const stateCell = isAdmin
      ? html`<form method="post" action="${path}/active">${id}<input type="hidden" name="is_active" value="${isActive ? 'false' : 'true'}" /><button aria-label="${isActive ? 'Deactivate' : 'Activate'} ${name}">${isActive ? 'Deactivate' : 'Activate'}</button></form>`
      : undefined;
    return html`<tr><td><bdi>${name}</bdi></td><td><bdi>${text(user.email)}</bdi></td><td>${roleCell}</td><td>${isActive ? 'active' : 'inactive'} ${stateCell}</td></tr>`;
  });
  return html`<div class="wide" tabindex="0" role="region" aria-label="People">
    <table>
      <thead><tr><th scope="col">Name</th><th scope="col">Email</th><th scope="col">Role</th><th scope="col">State</th></tr></thead>
      <tbody>${rows}</tbody>
    </table>
  </div>`;
}

interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly expires_at: string;
}

function invitationTable(invitations: readonly Invitation[]): Html {
  const rows = invitations.map(
    ({
      id,
      email,
      role,
      expires_at: end,
    }) => html`<tr><td><bdi>${email}</bdi></td><td><bdi>${role}</bdi></td><td>${dateText(end)}</td>
      <td><form method="post" action="${path}/withdraw"><input type="hidden" name="id" value="${id}" /><button aria-label="Take back the invitation of ${email}">Take back</button></form></td></tr>`,
  );
  return html`<div class="wide" tabindex="0" role="region" aria-label="Invitations">
    <table>
      <caption>Invitations</caption>
      <thead><tr><th scope="col">Email</th><th scope="col">Role</th><th scope="col">Good until</th><th scope="col">End</th></tr></thead>
      <tbody>${rows}</tbody>
    </table>
  </div>`;
}

function inviteForm(roles: readonly Role[], { email = '', role = 'Member' }: Shown): Html {
  return html`<section>
    <h2>Invite somebody</h2>
    <form method="post" action="${path}/invite">
      ${field('Email', html`<input type="email" name="email" value="${email}" required maxlength="320" autocomplete="off" />`)}
      ${field('Role', html`<select name="role">${roleChoices(roles, ({ name }) => name === role)}</select>`)}
      <button class="main">Send the invitation</button>
    </form>
  </section>`;
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
