/** `/`: a welcome page; for signed-in readers, the objects, newest records, and API calls to try. */
import type { FastifyInstance } from 'fastify';
import type { DemoVisitor } from '../../demo/demo-visitor.ts';
import type { JsonObject } from '../../lib/json.ts';
import { agentsPath, documentsPath, referencePath, restPrefix } from '../../lib/url-paths.ts';
import { listRecords } from '../../operations/records/records.ts';
import { listSchema } from '../../operations/workspace/schema.ts';
import { html, type Html } from '../escaped.ts';
import { code } from './code.ts';
import { demoCards, demoPeople } from './demo-door.ts';
import { doorPage, openPage, type Reader } from './layout.ts';
import { addPage, type PageParts } from './page-route.ts';
import { asOwn, dateText, textOf, type OwnVisit } from './signed-in.ts';
import { signInForm } from './sign-in-forms.ts';
import { table } from './table.ts';

/** The most objects to count and records to show. */
const mostObjects = 24;
const mostNewest = 8;

/** Adds the page. */
export function addFirstPage(app: FastifyInstance, parts: PageParts): void {
  const { browser, version } = parts;
  addPage(app, parts, 'GET', '/', async (visit) => {
    const people = await demoPeople(parts, visit.request);
    if (await browser.find(visit.request)) return asOwn(parts, visit, '/', (own) => home(own, people, version));
    const [first] = people;
    if (!first) return doorPage('', html`${signInForm({})}${forPrograms}`, version);
    return openPage(
      '',
      undefined,
      html`${welcome(first.organizationName)} ${demoCards(people)} ${calls(visit.base)}`,
      version,
    );
  });
}

/** Programs read this page as well. */
const forPrograms = html`<p class="foot">For programs: <a href="${restPrefix}">${restPrefix}</a> with an API token, <code>${agentsPath}</code> for agents, <a href="/llms.txt">/llms.txt</a>, <a href="/health/ready">/health/ready</a>.</p>`;

function welcome(organization: string): Html {
  return html`<section class="hero">
    <h1>A CRM for your people and your agents, running here.</h1>
    <p class="dim">This is the demo, <bdi>${organization}</bdi>: a sales team’s year and a half, made up, with dates around today. Look at it through the eyes of three of its people. Whatever you change stays on this machine.</p>
  </section>`;
}

async function home(visit: OwnVisit, people: readonly DemoVisitor[], version: string): Promise<string> {
  const reader = await visit.reader();
  const found = await whatThereIs(visit, reader);
  const rows = found.map(({ name, label, total }) => [
    html`<strong><bdi>${label}</bdi></strong>`,
    html`<code>${restPrefix}/records/${name}</code>`,
    html`<span class="number">${total.toLocaleString('en')}</span>`,
  ]);
  const newest = found
    .flatMap(({ records }) => records)
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, mostNewest)
    .map(({ title, kind, at }) => [
      html`<strong><bdi>${title}</bdi></strong>`,
      html`<bdi>${kind}</bdi>`,
      html`<span class="when">${dateText(at)}</span>`,
    ]);
  const nothing = html`<p class="empty">No records yet. Bring yours: <a href="${documentsPath.replace(/index$/, 'import')}">how to import</a>.</p>`;
  const isDemo = people.some(({ place }) => place.workspaceUserId === reader.workspaceUserId);
  const content = html`<section class="hero">
      <h1><bdi>${reader.organization}</bdi></h1>
      <p class="dim">You are <strong><bdi>${reader.name}</bdi></strong>, <bdi>${reader.role}</bdi>. You see here what your role may see, and so does every program with a token of yours.</p>
    </section>
    <div class="halves">
      <section><h2>What is in it</h2>${table('What is in it', ['Object', 'Read it at', 'Records'], rows)}</section>
      <section><h2>Newest</h2>${table('Newest', ['Record', 'Object', 'Created'], newest, nothing)}</section>
    </div>
    ${calls(visit.base, found[0]?.name)}
    ${isDemo ? html`<section><h2>Look through other eyes</h2>${demoCards(people, reader.workspaceUserId)}</section>` : undefined}`;
  return openPage('', reader, content, version);
}

interface Found {
  readonly name: string;
  readonly label: string;
  readonly total: number;
  readonly records: readonly { readonly title: string; readonly kind: string; readonly at: string }[];
}

/** The objects that the reader may see, with their record counts and newest records. */
async function whatThereIs(visit: OwnVisit, { displayFields }: Reader): Promise<readonly Found[]> {
  const schema = (await visit.perform(listSchema, {})).objects as readonly Named[]; // complete, without `brief`
  const seen = schema.flatMap((one) => {
    const field = displayFields.get(one.name);
    return field === undefined ? [] : [{ ...one, field }];
  });
  return Promise.all(
    seen.slice(0, mostObjects).map(async ({ name, label, labelSingular, field }) => {
      const { data, total } = await visit.page(listRecords, { object: name, limit: mostNewest });
      const records = data.map((record) => ({
        title: titleOf(record, field),
        kind: labelSingular,
        at: textOf(record['created_at']),
      }));
      return { name, label, total, records };
    }),
  );
}

type Named = { readonly name: string; readonly label: string; readonly labelSingular: string };

/** The record's label, if visible: the display field of a role that may not see it is the id. */
function titleOf(record: JsonObject, displayField: string): string {
  const value = displayField === 'id' ? null : record[displayField];
  const title = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return title === '' ? 'Without a name' : title;
}

/** First calls by curl, client and agent. */
function calls(base: string, objectName = 'contacts'): Html {
  const curl = [
    `curl -G '${base}${restPrefix}/records/${objectName}'`,
    '-H "Authorization: Bearer $KITH_TOKEN"',
    '-d limit=3 -d pretty=true',
  ];
  const client = [
    "import { createClient } from 'kithcrm/client';",
    'const kith = createClient({',
    `  baseUrl: '${base}',`,
    '  token: process.env.KITH_TOKEN,',
    '});',
    `const { data, total } = await kith.records.list('${objectName}');`,
  ];
  const agent = [
    `claude mcp add --transport http kith ${base}${agentsPath}`,
    '--header "Authorization: Bearer $KITH_TOKEN"',
  ];
  return html`<section>
    <h2>The same from your code</h2>
    <p class="dim">A program needs a token: <a href="/settings/tokens">make one</a>, then <code>export KITH_TOKEN=svc_…</code>. All calls, made for your role: <a href="${referencePath}">API reference</a>. For TypeScript, <a href="${referencePath}/client#install">install the client</a> first.</p>
    <div class="halves">
      ${code('TypeScript', client.join('\n'))}
      ${code('curl', curl.join(' \\\n  '))}
      ${code('An agent, over MCP', agent.join(' \\\n  '))}
    </div>
  </section>`;
}
