/** `/settings/apps`: apps that act for a person, and for anyone in the organization where an admin looks. */
import type { FastifyInstance } from 'fastify';
import { disconnectApp, listConnectedApps } from '../../operations/connected-apps.ts';
import { html } from '../escaped.ts';
import { ownForm, problem, settingsPage } from './layout.ts';
import { orAgain, type PageParts } from './page-route.ts';
import { addOwnPage, dateText, textOf, type OwnVisit } from './signed-in.ts';
import { nextPage, table } from './table.ts';

const path = '/settings/apps';

/** Adds the page and its form. */
export function addAppPages(app: FastifyInstance, parts: PageParts): void {
  addOwnPage(app, parts, 'GET', path, (visit) => appsPage(visit));
  addOwnPage(app, parts, 'POST', `${path}/disconnect`, (visit) =>
    orAgain(
      async () => {
        await visit.perform(disconnectApp, { id: visit.given('id') });
        return { goTo: path };
      },
      (wrong) => appsPage(visit, wrong),
    ),
  );
}

async function appsPage(visit: OwnVisit, wrong?: string): Promise<string> {
  const reader = await visit.reader();
  const { data, nextCursor } = await visit.page(listConnectedApps, { limit: 100 });
  const columns = ['App', 'At', ...(reader.isAdmin ? ['Acts as'] : []), 'Allowed', 'Last used', null];
  const rows = data.map((app) => [
    html`<strong><bdi>${textOf(app.name)}</bdi></strong>`,
    html`<bdi>${textOf(app.host)}</bdi>`,
    ...(reader.isAdmin ? [html`<bdi>${textOf(app.user_name)}</bdi>`] : []),
    dateText(app.created_at),
    dateText(app.last_used_at) || 'never used',
    ownForm(
      reader,
      `${path}/disconnect`,
      html`<input type="hidden" name="id" value="${textOf(app.id)}" /><button class="bare" aria-label="Disconnect ${textOf(app.name)}">Disconnect</button>`,
    ),
  ]);
  const none = html`<p class="empty">No apps. One asks you here when you give it the address of this service.</p>`;
  return settingsPage(
    path,
    'Connected apps',
    reader,
    html`<div>
        <h1>Connected apps</h1>
        <p class="dim">An app that you allowed acts as you: it sees and may do what your role allows, never more. What it is called it says itself.</p>
      </div>
      ${problem(wrong)} ${table('Apps', columns, rows, none)} ${nextPage(path, nextCursor, 'More apps')}`,
  );
}
