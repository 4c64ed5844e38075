/** `/settings/tokens`: a person's API tokens, and all of the organization's for its admins. */
import type { FastifyInstance } from 'fastify';
import { restPrefix } from '../../lib/rest-prefix.ts';
import { createToken, listTokens, revokeToken } from '../../operations/tokens.ts';
import { html, type Html } from '../escaped.ts';
import { code } from './code.ts';
import { choiceOf, field, ownForm, problem, settingsPage, type Reader } from './layout.ts';
import { orAgain, type PageParts } from './page-route.ts';
import { addOwnPage, dateText, textOf, type OwnVisit } from './signed-in.ts';
import { nextPage, table } from './table.ts';

const path = '/settings/tokens';
/** How long a token may be good, as the form offers it. */
const lifetimes = [
  ['90d', '90 days'],
  ['30d', '30 days'],
  ['1y', 'a year'],
  ['', 'until it is revoked'],
] as const;

/** Adds the page and its forms. */
export function addTokenPages(app: FastifyInstance, parts: PageParts): void {
  addOwnPage(app, parts, 'GET', path, (visit) => tokensPage(visit, {}));
  addOwnPage(app, parts, 'POST', path, (visit) => {
    const [name, scopes, lifetime] = ['name', 'scopes', 'expires_in'].map(visit.given) as [string, string, string];
    const named = scopes.split(/[\s,]+/).filter((scope) => scope !== '');
    const input = {
      name,
      ...(named.length > 0 && { scopes: named }),
      ...(lifetime !== '' && { expires_in: lifetime }),
    };
    return orAgain(
      // It is shown in the answer to the form: an address that showed it would show it again.
      async () => tokensPage(visit, { fresh: await visit.perform(createToken, input) }),
      (wrong) => tokensPage(visit, { wrong, name, scopes, lifetime }),
    );
  });
  addOwnPage(app, parts, 'POST', `${path}/revoke`, (visit) =>
    orAgain(
      async () => {
        await visit.perform(revokeToken, { id: visit.given('id') });
        return { goTo: path };
      },
      (wrong) => tokensPage(visit, { wrong }),
    ),
  );
}

interface Shown {
  readonly fresh?: { readonly name: string; readonly token: string };
  readonly wrong?: string;
  readonly name?: string;
  readonly scopes?: string;
  readonly lifetime?: string;
}

async function tokensPage(visit: OwnVisit, shown: Shown): Promise<string> {
  const reader = await visit.reader();
  return settingsPage(
    path,
    'API tokens',
    reader,
    html`<div>
        <h1>API tokens</h1>
        <p class="dim">A token acts as you: it sees and may do what your role allows, never more. Give each program one of its own, and revoke it when the program goes.</p>
      </div>
      ${problem(shown.wrong)} ${shown.fresh && freshToken(shown.fresh, visit.base)}
      ${await tokens(visit, reader)} ${form(reader, shown)}`,
  );
}

function freshToken({ name, token }: { readonly name: string; readonly token: string }, base: string): Html {
  const first = `export KITH_TOKEN=${token}\ncurl -H "Authorization: Bearer $KITH_TOKEN" '${base}${restPrefix}/me?pretty'`;
  return html`<section class="card" role="status">
    <h2>“<bdi>${name}</bdi>” is ready</h2>
    <p class="dim">Copy it now: it is shown this once and cannot be shown again.</p>
    ${code('The token', token, 'token')} ${code('A first request with it', first)}
  </section>`;
}

async function tokens(visit: OwnVisit, reader: Reader): Promise<Html> {
  const { data, nextCursor } = await visit.page(listTokens, { is_revoked: false, limit: 100 });
  const columns = ['Name', ...(reader.isAdmin ? ['Acts as'] : []), 'Scopes', 'Last used', 'Expires', null];
  const rows = data.map((token) => [
    html`<strong><bdi>${textOf(token.name)}</bdi></strong>`,
    ...(reader.isAdmin ? [html`<bdi>${textOf(token.user_name)}</bdi>`] : []),
    Array.isArray(token.scopes) ? token.scopes.map(textOf).join(', ') : '',
    dateText(token.last_used_at) || 'never used',
    dateText(token.expires_at) || html`<span class="faint">never</span>`,
    ownForm(
      reader,
      `${path}/revoke`,
      html`<input type="hidden" name="id" value="${textOf(token.id)}" /><button class="bare" aria-label="Revoke ${textOf(token.name)}">Revoke</button>`,
    ),
  ]);
  return html`${table('Tokens', columns, rows, html`<p class="empty">No tokens. Programs need one.</p>`)} ${nextPage(path, nextCursor, 'More tokens')}`;
}

function form(reader: Reader, { name = '', scopes = 'mcp', lifetime = '90d' }: Shown): Html {
  return html`<section>
    <h2>New token</h2>
    ${ownForm(
      reader,
      path,
      html`${field('Name', html`<input name="name" value="${name}" required maxlength="200" autocomplete="off" />`, 'Where it will be used, so that you know it again')}
      ${field('Scopes', html`<input name="scopes" value="${scopes}" maxlength="500" autocomplete="off" />`, 'mcp lets agents in, too')}
      ${field('Good for', choiceOf('expires_in', lifetimes, lifetime))}
      <button class="main">Create token</button>`,
    )}
  </section>`;
}
