/** `/settings/tokens`: a person's API tokens, and all of the organization's for its admins. */
import type { FastifyInstance } from 'fastify';
import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import { createToken, listTokens, revokeToken } from '../../operations/tokens.ts';
import { html, type Html } from '../escaped.ts';
import { field, problem, settingsPage } from './layout.ts';
import { orAgain, type PageParts } from './page-route.ts';
import { addOwnPage, dateText, type OwnVisit } from './signed-in.ts';

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
  const page = await visit.read(listTokens, { is_revoked: false, limit: 200, ...cursorOf(visit.asked('cursor')) });
  const { data = [], nextCursor } = isObject(page) ? page : {};
  const tokens = (Array.isArray(data) ? data : []).filter((one): one is JsonObject => isObject(one));
  return settingsPage(
    path,
    'API tokens',
    reader,
    html`<div>
        <h1>API tokens</h1>
        <p class="dim">A token acts as you: it sees and may do what your role allows, never more. Give each program one of its own, and revoke it when the program goes.</p>
      </div>
      ${problem(shown.wrong)} ${shown.fresh && freshToken(shown.fresh)}
      ${tokens.length === 0 ? html`<p>No tokens. Programs need one.</p>` : table(tokens, reader.isAdmin)}
      ${typeof nextCursor === 'string' ? html`<p><a href="${path}?cursor=${encodeURIComponent(nextCursor)}">More tokens</a></p>` : undefined}
      ${form(shown)}`,
  );
}

function cursorOf(cursor: string | undefined): { readonly cursor?: string } {
  return cursor === undefined ? {} : { cursor };
}

function freshToken({ name, token }: { readonly name: string; readonly token: string }): Html {
  return html`<section class="fresh" role="status">
    <h2>“<bdi>${name}</bdi>” is ready</h2>
    <p>Copy it now: it is shown this once and cannot be shown again.</p>
    <code id="token" tabindex="0">${token}</code>
  </section>`;
}

function table(tokens: readonly JsonObject[], isAdmin: boolean): Html {
  const rows = tokens.map(
    (token) => html`<tr>
      <td><bdi>${text(token.name)}</bdi></td>
      ${isAdmin ? html`<td><bdi>${text(token.user_name)}</bdi></td>` : undefined}
      <td>${Array.isArray(token.scopes) ? token.scopes.map(text).join(', ') : undefined}</td>
      <td>${dateText(token.last_used_at) || 'never used'}</td>
      <td>${dateText(token.expires_at) || 'never'}</td>
      <td>
        <form method="post" action="${path}/revoke">
          <input type="hidden" name="id" value="${text(token.id)}" /><button aria-label="Revoke ${text(token.name)}">Revoke</button>
        </form>
      </td>
    </tr>`,
  );
  return html`<div class="wide" tabindex="0" role="region" aria-label="Tokens">
    <table>
      <thead><tr><th scope="col">Name</th>${isAdmin ? html`<th scope="col">Acts as</th>` : undefined}<th scope="col">Scopes</th><th scope="col">Last used</th><th scope="col">Expires</th><th scope="col">End</th></tr></thead>
      <tbody>${rows}</tbody>
    </table>
  </div>`;
}

function form({ name = '', scopes = 'mcp', lifetime = '90d' }: Shown): Html {
  const choices = lifetimes.map(
    ([value, label]) =>
      html`<option value="${value}"${value === lifetime ? html` selected` : undefined}>${label}</option>`,
  );
  return html`<section>
    <h2>New token</h2>
    <form method="post" action="${path}">
      ${field('Name', html`<input name="name" value="${name}" required maxlength="200" autocomplete="off" />`, 'Where it will be used, so that you know it again')}
      ${field('Scopes', html`<input name="scopes" value="${scopes}" maxlength="500" autocomplete="off" />`, 'mcp lets agents in, too')}
      ${field('Good for', html`<select name="expires_in">${choices}</select>`)}
      <button class="main">Create token</button>
    </form>
  </section>`;
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
