/** `/settings/accounts`: a person's mailboxes, calendars and messengers, and everybody's for an admin. [contract: Accounts] */
import type { FastifyInstance } from 'fastify';
import { addAccount, listAccounts, removeAccount } from '../../operations/accounts.ts';
import { referencePath } from '../../lib/rest-prefix.ts';
import { html, type Html } from '../escaped.ts';
import { choiceOf, field, ownForm, problem, settingsPage, type Reader } from './layout.ts';
import { orAgain, type PageParts } from './page-route.ts';
import { addOwnPage, dateText, type OwnVisit } from './signed-in.ts';
import { table, type Cell } from './table.ts';

const path = '/settings/accounts';
const securities = [
  ['tls', 'TLS'],
  ['starttls', 'STARTTLS'],
  ['none', 'none'],
] as const;
/** What the form asks for, but for the password, which is typed anew each time. */
const names = [
  ...['account_email', 'user', 'imap_host', 'imap_port', 'imap_security'],
  ...['smtp_host', 'smtp_port', 'smtp_security', 'send_enabled'],
] as const;
type Typed = Readonly<Record<string, string>>;

/** Adds the page and its forms. */
export function addAccountPages(app: FastifyInstance, parts: PageParts): void {
  addOwnPage(app, parts, 'GET', path, (visit) => accountsPage(visit));
  addOwnPage(app, parts, 'POST', path, (visit) =>
    orAgain(
      async () => {
        await visit.perform(addAccount, { account: mailboxOf(visit) });
        return { goTo: path };
      },
      (wrong) => accountsPage(visit, wrong, Object.fromEntries(names.map((name) => [name, visit.given(name)]))),
    ),
  );
  addOwnPage(app, parts, 'POST', `${path}/remove`, (visit) =>
    orAgain(
      async () => {
        await visit.perform(removeAccount, { id: visit.given('id') });
        return { goTo: path };
      },
      (wrong) => accountsPage(visit, wrong),
    ),
  );
}

/** What the form says, as the document of an account. */
function mailboxOf({ given, verbatim }: OwnVisit): object {
  const address = given('account_email');
  const server = (name: string) => ({
    host: given(`${name}_host`),
    port: Number(given(`${name}_port`)),
    security: given(`${name}_security`),
    user: given('user') || address,
    password: verbatim('password'),
  });
  return {
    provider: 'imap',
    account_email: address,
    imap: server('imap'),
    ...(given('smtp_host') !== '' && { smtp: server('smtp'), send_enabled: given('send_enabled') === 'on' }),
  };
}

async function accountsPage(visit: OwnVisit, wrong?: string, typed: Typed = {}): Promise<string> {
  const reader = await visit.reader();
  const { accounts } = await visit.perform(listAccounts, {});
  const columns = ['Account', ...(reader.isAdmin ? ['Of'] : []), 'State', 'Last look', 'Next look', null];
  const rows = accounts.map((account): readonly Cell[] => {
    const name = account.account_email ?? account.provider;
    return [
      html`<span><strong><bdi>${name}</bdi></strong><span class="second">${account.channels.join(', ')}</span></span>`,
      ...(reader.isAdmin ? [html`<bdi>${account.user}</bdi>`] : []),
      stateOf(account),
      dateText(account.last_sync_at) || 'not yet',
      dateText(account.next_sync_at),
      ownForm(
        reader,
        `${path}/remove`,
        html`<input type="hidden" name="id" value="${account.id}" /><button class="bare" aria-label="Disconnect ${name}">Disconnect</button>`,
      ),
    ];
  });
  const none = html`<p class="empty">Nothing is connected. Threads, meetings and contacts' conversations come with a mailbox.</p>`;
  return settingsPage(
    path,
    'Mail and messages',
    reader,
    html`<div>
        <h1>Mail and messages</h1>
        <p class="dim">What comes in is yours: nobody else reads it, whatever their role. What came stays when an account is disconnected.</p>
      </div>
      ${problem(wrong)} ${table('Accounts', columns, rows, none)} ${form(reader, typed)}`,
  );
}

function stateOf(account: {
  readonly status: string;
  readonly last_error: string | null;
  readonly remaining: number;
}): Html {
  const told = [
    ...(account.last_error === null ? [] : [account.last_error]),
    ...(account.remaining > 0 ? [`${account.remaining} messages still to come`] : []),
  ];
  return html`<span>${account.status}${told.map((line) => html`<span class="second"><bdi>${line}</bdi></span>`)}</span>`;
}

function form(reader: Reader, typed: Typed): Html {
  const text = (name: string, more: Html, value = typed[name] ?? '') =>
    html`<input name="${name}" value="${value}"${more} />`;
  const server = (label: string, name: string, port: string, security: string, isRequired: boolean) => html`<fieldset>
    <legend>${label}</legend>
    ${field('Host', text(`${name}_host`, html` maxlength="255" autocomplete="off" spellcheck="false"${isRequired ? html` required` : undefined}`))}
    ${field('Port', text(`${name}_port`, html` inputmode="numeric" pattern="[0-9]+" maxlength="5"`, typed[`${name}_port`] ?? port))}
    ${field('Security', choiceOf(`${name}_security`, securities, typed[`${name}_security`] ?? security))}
  </fieldset>`;
  const maySend = typed['send_enabled'] === undefined || typed['send_enabled'] === 'on';
  return html`<section>
    <h2>Connect a mailbox</h2>
    <p class="dim">The servers are tried first. Sign-in by OAuth 2.0, calendars and messengers are connected on the machine of the service, by <a href="${referencePath}/mailboxes"><code>kith account add</code></a>.</p>
    ${ownForm(
      reader,
      path,
      html`${field('Address', html`<input type="email" name="account_email" value="${typed['account_email'] ?? reader.email}" required maxlength="320" autocomplete="off" />`)}
      ${field('Name at the server', text('user', html` maxlength="320" autocomplete="off" spellcheck="false"`), 'The address, when left out')}
      ${field('Password', html`<input type="password" name="password" required maxlength="1000" autocomplete="off" />`, 'Kept sealed, and never shown')}
      ${server('Reading, by IMAP', 'imap', '993', 'tls', true)}
      ${server('Sending, by SMTP (left out, nothing is sent)', 'smtp', '587', 'starttls', false)}
      <div class="field"><label class="check"><input type="checkbox" name="send_enabled"${maySend ? html` checked` : undefined} /> Send from this account</label></div>
      <button class="main">Connect</button>`,
    )}
  </section>`;
}
