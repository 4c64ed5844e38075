/** `/settings/audit`: who did what that matters, for admins. */
import type { FastifyInstance } from 'fastify';
import { auditActions } from '../../audit/event.ts';
import { listAudit } from '../../operations/audit.ts';
import { listRoles } from '../../operations/roles.ts';
import { listUsers } from '../../operations/users.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import { isUuid } from '../../lib/id.ts';
import { documentsPath } from '../../lib/rest-prefix.ts';
import { html, type Html } from '../escaped.ts';
import { choiceOf, field, settingsPage } from './layout.ts';
import type { PageParts } from './page-route.ts';
import { addOwnPage, dateText, textOf, type OwnVisit } from './signed-in.ts';
import { nextPage, table, type Cell } from './table.ts';

const path = '/settings/audit';

/** Adds the page. */
export function addAuditPage(app: FastifyInstance, parts: PageParts): void {
  addOwnPage(app, parts, 'GET', path, auditPage);
}

async function auditPage(visit: OwnVisit): Promise<string> {
  const reader = await visit.reader();
  const content = reader.isAdmin
    ? await entries(visit)
    : html`<p class="empty">Your role has no access to the audit: it is for administrators.</p>`;
  return settingsPage(
    path,
    'Audit',
    reader,
    html`<div>
        <h1>Audit</h1>
        <p class="dim">Who got which rights, what was taken out and brought in, who came and went. Each entry is signed together with the one before it; <code>kith audit verify</code> proves that none was changed or taken out. <a href="${documentsPath}/rest/audit">More of it</a></p>
      </div>
      ${content}`,
  );
}

async function entries(visit: OwnVisit): Promise<Html> {
  const chosen = (['action', 'actor'] as const).flatMap((name) => {
    const value = visit.asked(name);
    return value ? [[name, value] as const] : [];
  });
  const asked = Object.fromEntries(chosen);
  const { data, nextCursor } = await visit.page(listAudit, { limit: 50, ...asked });
  const { data: users } = await visit.page(listUsers, { limit: 500 }, '');
  const { roles } = await visit.perform(listRoles, {});
  const here = chosen.length === 0 ? path : `${path}?${new URLSearchParams(asked).toString()}`;
  const people = users.map((user) => [textOf(user.id), textOf(user.name)] as const);
  const names = new Map([...people, ...roles.map(({ id, name }) => [id, name] as const)]);
  const rows = data.map((one) => entry(one, names));
  const empty = html`<p class="empty">No entry is of this kind and by this person. <a href="${path}">Show all</a></p>`;
  return html`${filter(asked, people)}
    ${table('Entries', ['When', 'What', 'Who', 'Of what'], rows, empty)}
    ${nextPage(here, nextCursor, 'Earlier entries')}`;
}

function filter(
  asked: { readonly action?: string; readonly actor?: string },
  people: readonly (readonly [string, string])[],
): Html {
  return html`<form class="filter" method="get" action="${path}">
    ${field('What', choiceOf('action', [['', 'anything'], ...auditActions.map((action) => [action, action] as const)], asked.action ?? ''))}
    ${field('Who', choiceOf('actor', [['', 'anybody'], ...people], asked.actor ?? ''))}
    <button>Show</button>
  </form>`;
}

/** What is called how: users and roles, by their ids. */
type Names = ReadonlyMap<string, string>;

function entry(
  { at, action, actor, means, agent, token, address, subject }: JsonObject,
  names: Names,
): readonly Cell[] {
  const by = [textOf(agent) || textOf(means), token ? `token ${textOf(token)}` : '', textOf(address)];
  return [
    html`<span class="when">${dateText(at)}</span>`,
    html`<strong>${textOf(action)}</strong>`,
    html`<span class="actor"><bdi>${isObject(actor) ? textOf(actor.display) : 'nobody'}</bdi><span class="second"><bdi>${by.filter((part) => part !== '').join(', ')}</bdi></span></span>`,
    isObject(subject) ? html`<span class="dim"><bdi>${subjectText(subject, names)}</bdi></span>` : undefined,
  ];
}

function subjectText(subject: JsonObject, names: Names): string {
  return Object.entries(subject)
    .map(([name, value]) => `${name.replace(/_id$/, '').replaceAll('_', ' ')}: ${valueText(value, names)}`)
    .join(' · ');
}

function valueText(value: Json | undefined, names: Names): string {
  if (Array.isArray(value)) return value.map((one) => valueText(one, names)).join(', ');
  if (isObject(value)) return `(${subjectText(value, names)})`;
  if (value === null || typeof value !== 'string') return value === null ? 'none' : String(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return dateText(value);
  return names.get(value) ?? (isUuid(value) ? `…${value.slice(-6)}` : value);
}
