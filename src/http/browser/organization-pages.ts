/** `/settings/organization`: what the organization is called and counts in. */
import type { FastifyInstance } from 'fastify';
import { applyManifest } from '../../operations/manifest.ts';
import { html, type Html } from '../escaped.ts';
import { field, ownForm, problem, settingsPage, type Reader } from './layout.ts';
import { orAgain, type PageParts } from './page-route.ts';
import { addOwnPage, type OwnVisit } from './signed-in.ts';

const path = '/settings/organization';

/** Adds the page and its form. */
export function addOrganizationPages(app: FastifyInstance, parts: PageParts): void {
  addOwnPage(app, parts, 'GET', path, (visit) => organizationPage(visit, {}));
  addOwnPage(app, parts, 'POST', path, (visit) => {
    const [name, currency, timezone] = ['name', 'currency', 'timezone'].map(visit.given) as [string, string, string];
    const settings = { name, currency: currency.toUpperCase(), timezone };
    return orAgain(
      async () => {
        await visit.perform(applyManifest, { manifest: { organization: settings } });
        return { goTo: path };
      },
      (wrong) => organizationPage(visit, { ...settings, wrong }),
    );
  });
}

interface Shown {
  readonly name?: string;
  readonly currency?: string;
  readonly timezone?: string;
  readonly wrong?: string;
}

async function organizationPage(visit: OwnVisit, { wrong, ...typed }: Shown): Promise<string> {
  const reader = await visit.reader();
  const { name, currency, timezone } = { ...reader, name: reader.organization, ...typed };
  return settingsPage(
    path,
    'Organization',
    reader,
    html`<div>
        <h1>Organization</h1>
        <p class="dim">${reader.isAdmin ? 'What it is called, and what its amounts and days mean where nothing else is said.' : 'Administrators change this.'}</p>
      </div>
      ${problem(wrong)} ${reader.isAdmin ? form(reader, { name, currency, timezone }) : facts({ name, currency, timezone })}`,
  );
}

type Settings = Required<Omit<Shown, 'wrong'>>;

function facts({ name, currency, timezone }: Settings): Html {
  return html`<dl><dt>Name</dt><dd><bdi>${name}</bdi></dd><dt>Currency</dt><dd>${currency}</dd><dt>Time zone</dt><dd>${timezone}</dd></dl>`;
}

function form(reader: Reader, { name, currency, timezone }: Settings): Html {
  const zones = Intl.supportedValuesOf('timeZone').map((zone) => html`<option value="${zone}"></option>`);
  const currencies = Intl.supportedValuesOf('currency').map((code) => html`<option value="${code}"></option>`);
  return html`<section>${ownForm(
    reader,
    path,
    html`${field('Name', html`<input name="name" value="${name}" required maxlength="200" autocomplete="organization" />`)}
      ${field('Currency', html`<input name="currency" value="${currency}" required maxlength="3" list="currencies" autocomplete="off" />`, 'What an amount without a currency is in. Amounts that are there keep theirs.')}
      ${field('Time zone', html`<input name="timezone" value="${timezone}" required maxlength="100" list="zones" autocomplete="off" />`, 'Where a day begins')}
      <datalist id="currencies">${currencies}</datalist><datalist id="zones">${zones}</datalist>
      <button class="main">Save</button>`,
  )}</section>`;
}
