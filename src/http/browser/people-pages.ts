/** `/settings/people`: who is in the organization; its admins invite, change and deactivate. */
import type { FastifyInstance } from 'fastify';
import type { JsonObject } from '../../lib/json.ts';
import { createInvitation, listInvitations, withdrawInvitation } from '../../operations/invitations.ts';
import { listRoles } from '../../operations/roles.ts';
import { listUsers, updateUser } from '../../operations/users.ts';
import { html, type Html } from '../escaped.ts';
import { choiceOf, field, ownForm, problem, settingsPage, type Reader } from './layout.ts';
import { orAgain, type PageAnswer, type PageParts } from './page-route.ts';
import { addOwnPage, dateText, textOf, type OwnVisit } from './signed-in.ts';
import { nextPage, table, type Cell } from './table.ts';

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
  const { data: users, nextCursor } = await visit.page(listUsers, { limit: 100 });
  const { roles } = await visit.perform(listRoles, {});
  const columns = ['Person', 'Role', 'State', ...(reader.isAdmin ? [null] : [])];
  const rows = users.map((user) => (reader.isAdmin ? changeableRow(reader, user, roles) : row(user, roles)));
  return settingsPage(
    path,
    'People',
    reader,
    html`<div>
        <h1>People</h1>
        <p class="dim">${reader.isAdmin ? 'Who is inactive cannot come in, nor can their tokens and apps. Active again, they go on with those that were not revoked.' : 'Administrators invite people, and say which role each has.'}</p>
      </div>
      ${problem(shown.wrong)} ${table('People', columns, rows)} ${nextPage(path, nextCursor, 'More people')}
      ${reader.isAdmin ? html`${await invitations(visit, reader)} ${inviteForm(reader, roles, shown)}` : undefined}`,
  );
}

type Role = { readonly id: string; readonly name: string };

const roleNames = (roles: readonly Role[]) => roles.map(({ name }) => [name, name] as const);

function row(user: JsonObject, roles: readonly Role[]): readonly Cell[] {
  return [
    html`<span><strong><bdi>${textOf(user.name)}</bdi></strong><span class="second"><bdi>${textOf(user.email)}</bdi></span></span>`,
    html`<bdi>${roles.find(({ id }) => id === user.role_id)?.name ?? ''}</bdi>`,
    user.is_active === true ? 'active' : html`<span class="faint">inactive</span>`,
  ];
}

function changeableRow(reader: Reader, user: JsonObject, roles: readonly Role[]): readonly Cell[] {
  const [person, , state] = row(user, roles);
  const id = html`<input type="hidden" name="id" value="${textOf(user.id)}" />`;
  const name = textOf(user.name);
  const role = roles.find((one) => one.id === user.role_id)?.name ?? '';
  const [word, next] = user.is_active === true ? ['Deactivate', 'false'] : ['Activate', 'true'];
  return [
    person,
    ownForm(
      reader,
      `${path}/role`,
      html`${id}${choiceOf('role', roleNames(roles), role, html` aria-label="Role of ${name}"`)}<button class="bare" aria-label="Change the role of ${name}">Change</button>`,
    ),
    state,
    ownForm(
      reader,
      `${path}/active`,
      html`${id}<input type="hidden" name="is_active" value="${next}" /><button class="bare" aria-label="${word} ${name}">${word}</button>`,
    ),
  ];
}

async function invitations(visit: OwnVisit, reader: Reader): Promise<Html> {
  const { data } = await visit.perform(listInvitations, {});
  const rows = data.map(({ id, email, role, expires_at: end }) => [
    html`<strong><bdi>${email}</bdi></strong>`,
    html`<bdi>${role}</bdi>`,
    dateText(end),
    ownForm(
      reader,
      `${path}/withdraw`,
      html`<input type="hidden" name="id" value="${id}" /><button class="bare" aria-label="Take back the invitation of ${email}">Take back</button>`,
    ),
  ]);
  const empty = html`<p class="empty">Nobody is invited and has not come yet.</p>`;
  return html`<section><h2>Invitations</h2>${table('Invitations', ['Email', 'Role', 'Good until', null], rows, empty)}</section>`;
}

function inviteForm(reader: Reader, roles: readonly Role[], { email = '', role = 'Member' }: Shown): Html {
  return html`<section>
    <h2>Invite somebody</h2>
    ${ownForm(
      reader,
      `${path}/invite`,
      html`${field('Email', html`<input type="email" name="email" value="${email}" required maxlength="320" autocomplete="off" />`)}
      ${field('Role', choiceOf('role', roleNames(roles), role))}
      <button class="main">Send the invitation</button>`,
    )}
  </section>`;
}
