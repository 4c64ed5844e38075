/** `/settings/roles`: what each role may, in words. Admins see all roles; others their own, as far as it is told to them. */
import type { FastifyInstance } from 'fastify';
import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import { documentsPath } from '../../lib/rest-prefix.ts';
import { pullManifest } from '../../operations/manifest.ts';
import { getMyPermissions } from '../../operations/me.ts';
import { listSchema } from '../../operations/schema.ts';
import { html, type Html } from '../escaped.ts';
import { settingsPage, type Reader } from './layout.ts';
import type { PageParts } from './page-route.ts';
import { ownRights, rightsIn, type Rights } from './role-words.ts';
import { addOwnPage, textOf, type OwnVisit } from './signed-in.ts';
import { table } from './table.ts';

const path = '/settings/roles';

/** Adds the page. */
export function addRolePage(app: FastifyInstance, parts: PageParts): void {
  addOwnPage(app, parts, 'GET', path, rolesPage);
}

async function rolesPage(visit: OwnVisit): Promise<string> {
  const reader = await visit.reader();
  const objects = (await visit.perform(listSchema, {})).objects as readonly ShownObject[]; // all of it, since `brief` is not asked for
  const manifest = reader.isAdmin ? html`, in <a href="${documentsPath}/manifest">the manifest</a>` : undefined;
  return settingsPage(
    path,
    'Roles',
    reader,
    html`<div>
        <h1>Roles</h1>
        <p class="dim">What a role may not see is not there for it: no column, no filter, no total, no search. Administrators change roles${manifest}.</p>
      </div>
      ${reader.isAdmin ? await allRoles(visit, objects) : await ownRole(visit, reader, objects)}`,
  );
}

interface ShownObject {
  readonly name: string;
  readonly label: string;
  readonly fields: readonly { readonly name: string; readonly isReadonly: boolean }[];
}

async function allRoles(visit: OwnVisit, objects: readonly ShownObject[]): Promise<readonly Html[]> {
  const manifest = await visit.perform(pullManifest, {});
  const roles = Array.isArray(manifest.roles) ? manifest.roles.filter((role) => isObject(role)) : [];
  return roles.map(({ name, isAdmin, permissions }) => {
    const rights = (object: ShownObject) => rightsIn(isObject(permissions) ? permissions : {}, object.name);
    return section(
      textOf(name),
      isAdmin === true ? html`<p>Sees and may do everything.</p>` : rightsTable(textOf(name), objects, rights),
    );
  });
}

async function ownRole(visit: OwnVisit, { role }: Reader, objects: readonly ShownObject[]): Promise<Html> {
  const told: Readonly<Record<string, Json>> = (await visit.perform(getMyPermissions, {})).objects;
  const known = objects.filter(({ name }) => isObject(told[name]));
  return section(
    role,
    rightsTable(role, known, (object) => ownRights(told[object.name] as JsonObject, object.fields)),
  );
}

function section(name: string, content: Html): Html {
  return html`<section><h2><bdi>${name}</bdi></h2>${content}</section>`;
}

function rightsTable(role: string, objects: readonly ShownObject[], rightsOf: (object: ShownObject) => Rights): Html {
  const rows = objects.map((object) => {
    const { view, create, update, delete: removed, hidden, readOnly } = rightsOf(object);
    const fields = [
      ...(hidden.length > 0 ? [`hidden: ${hidden.join(', ')}`] : []),
      ...(readOnly.length > 0 ? [`only read: ${readOnly.join(', ')}`] : []),
    ];
    const cells = [view, create, update, removed].map((words) =>
      ['none', 'no'].includes(words) ? html`<span class="faint">${words}</span>` : words,
    );
    return [html`<strong><bdi>${object.label}</bdi></strong>`, ...cells, fields.join('; ')];
  });
  const empty = html`<p class="empty">This role sees no records.</p>`;
  return table(`What ${role} may`, ['Records', 'Sees', 'Creates', 'Changes', 'Deletes', 'Fields'], rows, empty);
}
