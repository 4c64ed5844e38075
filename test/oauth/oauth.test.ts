/** Apps that people let act for them: how they find the service, how people are asked, and how they end it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suite } from '../mcp/suite.ts';
import { sendRaw } from '../mcp/agent.ts';
import { freePort } from '../support/free-port.ts';
import { openBrowser, type Browser } from '../signin/browser.ts';
import { consent, newApp, redirectUri, register, type App } from './app.ts';
import { certificate as cert, certificateKey as key } from '../support/certificate.ts';
import { startStage, type Stage } from './stage.ts';

let stage: Stage;
let app: App;
/** Where the document of an app lies. */
const documents = createServer({ cert, key }, (request, response) => {
  const { port } = documents.address() as AddressInfo;
  const name = request.url === '/nameless.json' ? {} : { client_name: 'App with a document' };
  const client_id = `https://localhost:${port}${request.url}`;
  response.end(
    JSON.stringify({ client_id, ...name, redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
  );
});
let documentsAt: string;
const usual = getCACertificates();

beforeAll(async () => {
  await once(documents.listen(0, '127.0.0.1'), 'listening');
  documentsAt = `localhost:${(documents.address() as AddressInfo).port}`;
  setDefaultCACertificates([cert]);
  stage = await startStage({ KITH_PRIVATE_HOSTS: documentsAt });
  app = await newApp(stage.kith.url);
}, 60_000);
afterAll(async () => {
  setDefaultCACertificates(usual);
  documents.close();
  await stage.stop();
});

const json = async (path: string) => (await fetch(stage.kith.url + path)).json();
const me = async (token: string) => stage.kith.client(token).get('/me');

describe('discovery', () => {
  it('leads from a refused request to the server of tokens', async () => {
    const { url } = stage.kith;
    for (const [path, challenge] of [
      ['/mcp', `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp", scope="mcp"`],
      ['/api/v1', `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/api/v1"`],
    ] as const) {
      const refused = path === '/mcp' ? await sendRaw(url, undefined, {}) : await fetch(`${url}${path}/me`);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, challenge]);
      const resource = await json(`/.well-known/oauth-protected-resource${path}`);
      expect(resource).toMatchObject({ resource: url + path, authorization_servers: [url], scopes_supported: ['mcp'] });
      expect(await json(`/.well-known/oauth-authorization-server${path}`)).toEqual(
        await json('/.well-known/oauth-authorization-server'),
      );
    }
    expect(await json('/.well-known/oauth-authorization-server')).toMatchObject({
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/api/oauth/token`,
      registration_endpoint: `${url}/api/oauth/register`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
    });
  });

  it('calls this machine as who asks does', async () => {
    const { port } = new URL(stage.kith.url);
    const found = await fetch(`http://localhost:${port}/.well-known/oauth-protected-resource/mcp`);
    expect(await found.json()).toMatchObject({ resource: `http://localhost:${port}/mcp` });
  });

  it.each(['LOCALHOST:', 'localhost:0000', 'localhost:x@evil.test:'])(
    'reads of a host that is spelt %s nothing but the name',
    async (spelt) => {
      const { port } = new URL(stage.kith.url);
      const asked = get({ port, path: '/.well-known/oauth-protected-resource', headers: { host: spelt + port } });
      const [answer] = await once(asked, 'response');
      expect(JSON.parse(await text(answer))).toMatchObject({ resource: `http://localhost:${port}` });
    },
  );
});

describe('the official client', () => {
  it.each(['registers', 'has a document'] as const)('signs in from nothing but the address: it %s', async (way) => {
    const asked: URL[] = [];
    const provider = providerOf(asked, way === 'registers' ? undefined : `https://${documentsAt}/app.json`);
    const address = new URL('/mcp', stage.kith.url);
    const transport = () => new StreamableHTTPClientTransport(address, { authProvider: provider });
    const first = transport();
    const client = () => new Client({ name: 'an agent', version: '1.0.0' });
    await expect(client().connect(first)).rejects.toThrow(UnauthorizedError);
    const [at] = asked;
    const shown = await stage.mia.open((at?.pathname ?? '') + (at?.search ?? ''));
    expect(shown.html).toContain(way === 'registers' ? 'An official client' : 'App with a document');
    const { url } = await consent(stage.mia, shown, 'yes');
    expect(url).toMatch(redirectUri);
    await first.finishAuth(new URL(url).searchParams);
    const connected = client();
    await connected.connect(transport());
    const answer = await connected.callTool({ name: 'crm_find_records', arguments: { object_name: 'contacts' } });
    expect(answer).toMatchObject({ structuredContent: { data: [] } });
    await connected.close();
  });

  it('is told of a document that cannot be used', async () => {
    const nameless = await app.ask(stage.mia, { client_id: `https://${documentsAt}/nameless.json` });
    const other = `https://${documentsAt.replace('localhost', '127.0.0.1')}/app.json`;
    const foreign = await app.ask(stage.mia, { client_id: other });
    expect([nameless.status, foreign.status]).toEqual([400, 400]);
    expect(nameless.html + foreign.html).not.toContain('wants to act');
  });
});

describe('a person', () => {
  it('signs in first, and comes back to the question', async () => {
    const browser = openBrowser(stage.kith.url);
    expect((await app.ask(browser)).url).toBe('/signin?next=%2Foauth%2Fconsent');
    const token = await stage.link(browser, 'mia@acme.test', '/oauth/consent');
    const shown = await stage.follow(browser, token);
    expect([shown.status, shown.url]).toEqual([200, '/oauth/consent']);
    const elsewhere = openBrowser(stage.kith.url);
    elsewhere.cookie = browser.cookie;
    expect(await elsewhere.open('/oauth/consent')).toMatchObject({
      status: 400,
      html: expect.stringContaining('No app waits'),
    });
    expect((await consent(browser, shown, 'yes')).url).toMatch(/^http:\/\/127\.0\.0\.1:43123\/callback\?code=/);
  });

  it('is told who asks, what the role allows and where it leads, in a page that nobody can frame', async () => {
    const named = await newApp(stage.kith.url, 'Kith <script>\u202Eadmin');
    const { html, headers } = await named.ask(stage.mia);
    for (const words of [
      '“<bdi>Kith &lt;script&gt; admin</bdi>” wants to act as you',
      'nobody has checked it',
      '<bdi>Acme &amp; Co</bdi>, as <bdi>Member</bdi>',
      '<strong><bdi>127.0.0.1:43123</bdi></strong>',
      'See <bdi>all contacts, companies, opportunities and tasks; and some notes</bdi>',
      'Not: import, export, merge',
      `sent back to <bdi class="address">${redirectUri}</bdi>`,
    ])
      expect(html).toContain(words);
    expect(html).not.toContain('Kith <script');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/form-action 'self' http:\/\/127\.0\.0\.1:43123(?:;|$)/);
    expect((await app.ask(stage.ada)).html).toContain('<strong>all records</strong>');
  });

  it('may refuse: the app is told so, and nothing is connected', async () => {
    const before = (await stage.mia.api('GET', '/connected-apps')).json.total;
    const { url } = await consent(stage.mia, await app.ask(stage.mia), 'no');
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'of the app',
      iss: stage.kith.url,
    });
    expect((await stage.mia.api('GET', '/connected-apps')).json.total).toBe(before);
  });

  it('answers for this browser, page and app alone', async () => {
    const shown = await app.ask(stage.mia);
    const foreign = { origin: 'https://evil.test' };
    const question = /name="question" value="([^"]+)"/.exec(shown.html)?.[1] ?? '';
    expect((await stage.mia.submit('/oauth/consent', { question, answer: 'yes' }, foreign)).status).toBe(400);
    const others = /name="question" value="([^"]+)"/.exec((await app.ask(stage.ada)).html)?.[1] ?? '';
    const made_for = /name="made_for" value="([^"]+)"/.exec(shown.html)?.[1] ?? '';
    const again = await stage.mia.submit('/oauth/consent', { made_for, question: others, answer: 'yes' });
    expect([again.status, again.html]).toEqual([400, expect.stringContaining('another question')]);
    await app.ask(stage.mia);
    expect((await stage.mia.submit('/oauth/consent', { made_for, question, answer: 'yes' })).status).toBe(400);
  });

  it('in several organizations lets it into the one that is chosen', async () => {
    const navy = await stage.organization('Navy', 'mia@acme.test');
    const browser = openBrowser(stage.kith.url);
    await stage.follow(browser, await stage.link(browser, 'mia@acme.test'));
    const choice = await app.ask(browser);
    expect(choice.url).toBe('/signin/organization?next=%2Foauth%2Fconsent');
    const chosen = async (organization: string) =>
      browser.submit('/signin/organization', { organization, next: '/oauth/consent' });
    const inAcme = await chosen(stage.acme);
    expect(inAcme.html).toContain('<bdi>Acme &amp; Co</bdi>, as <bdi>Member</bdi>');
    const inNavy = await chosen(navy);
    // The page of the other organization is no answer any more.
    expect((await consent(browser, inAcme, 'yes')).status).toBe(409);
    const { url } = await consent(browser, inNavy, 'yes');
    const { json: tokens } = await app.exchange(new URL(url).searchParams.get('code') ?? '');
    expect((await me(tokens.access_token)).json).toMatchObject({ organizationId: navy, isAdmin: true });
    const [{ id }] = (await browser.api('GET', '/connected-apps')).json.data;
    expect(JSON.stringify((await stage.ada.api('GET', '/connected-apps')).json)).not.toContain(id);
  });

  it('sees what is connected, and ends it', async () => {
    const named = await newApp(stage.kith.url, 'To be ended');
    const { json: tokens } = await named.exchange(await named.code(stage.mia));
    expect((await me(tokens.access_token)).status).toBe(200);
    const idOf = async (browser: Browser) =>
      (await browser.api('GET', '/connected-apps')).json.data.find(
        ({ name }: { name: string }) => name === 'To be ended',
      );
    const { id, last_used_at, host } = await idOf(stage.mia);
    expect([last_used_at, host]).toEqual([expect.any(String), '127.0.0.1:43123']);
    expect((await idOf(stage.ada)).id).toBe(id);
    // It is no token of the list of tokens, and no token ends it.
    expect(JSON.stringify((await stage.mia.api('GET', '/tokens')).json)).not.toContain(id);
    const byToken = await stage.kith.client(tokens.access_token).delete(`/connected-apps/${id}`);
    expect([byToken.status, byToken.json.code]).toEqual([400, 'PERMISSION_DENIED']);
    expect((await stage.mia.api('DELETE', `/connected-apps/${id}`)).json).toEqual({ id, disconnected: true });
    expect(await idOf(stage.mia)).toBeUndefined();
    expect((await me(tokens.access_token)).json).toMatchObject({ error: 'Unauthorized', code: 'UNAUTHORIZED' });
    expect((await named.refresh(tokens.refresh_token)).json.error).toBe('invalid_grant');
    const { json: audit } = await stage.ada.api('GET', '/audit?limit=10');
    const told = audit.data.filter(({ subject }: { subject: { token?: string } }) => subject.token === id);
    expect(told).toMatchObject([
      { action: 'app.disconnected', subject: { app: 'To be ended' }, actor: { display: 'Mia' } },
      { action: 'app.connected', subject: { host: '127.0.0.1:43123', scopes: ['mcp'] }, actor: { display: 'Mia' } },
    ]);
  });

  it('ends only what is hers, unless she is an admin', async () => {
    const { json: tokens } = await app.exchange(await app.code(stage.ada));
    const [{ id }] = (await stage.ada.api('GET', '/connected-apps')).json.data;
    expect((await stage.mia.api('DELETE', `/connected-apps/${id}`)).json.code).toBe('RECORD_NOT_FOUND');
    expect((await stage.ada.api('DELETE', `/connected-apps/${id}`)).json).toEqual({ id, disconnected: true });
    expect((await me(tokens.access_token)).status).toBe(401);
  });
});

describe('registration', () => {
  it('AUTH-18: answers with what is registered: an app without a secret', async () => {
    const { status, json: told } = await register(stage.kith.url, {
      client_name: 'Editor',
      redirect_uris: ['editor://callback', 'http://localhost/back'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'mcp files',
      logo_uri: 'https://a.test/logo.svg',
    });
    expect([status, told]).toEqual([
      201,
      {
        client_id: expect.any(String),
        client_id_issued_at: expect.any(Number),
        client_name: 'Editor',
        redirect_uris: ['editor://callback', 'http://localhost/back'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      },
    ]);
  });

  it.each([
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://evil.test/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://127.0.0.2/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://a.test/#x'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://a.test/'], client_name: 7 }, 'invalid_client_metadata'],
    [{ redirect_uris: ['https://a.test/'], grant_types: ['password'] }, 'invalid_client_metadata'],
    [[], 'invalid_client_metadata'],
  ])('refuses %j', async (metadata, error) => {
    const { status, json: told } = await register(stage.kith.url, metadata);
    expect([status, told]).toEqual([400, { error, error_description: expect.any(String) }]);
  });
});

describe.skipIf(!existsSync(suite))('the suite of conformance of MCP', { timeout: 60_000 }, () => {
  it('passes for the authorization server', async () => {
    const port = await freePort();
    const { url } = stage.kith;
    const { json: told } = await register(url, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
    const given = ['--url', url, '--client-id', told.client_id, '--resource', `${url}/mcp`, '--port', String(port)];
    const child = spawn(process.execPath, [suite, 'authorization', ...given]);
    const printed: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      printed.push(line);
      // It waits for a person with a browser.
      if (line.startsWith(`${url}/oauth/authorize?`)) {
        const back = await consent(stage.mia, await stage.mia.open(line.slice(url.length)), 'yes');
        await fetch(back.url);
      }
    }
    expect(printed.filter((line) => /^[✓✗] /.test(line))).toEqual([
      '✓ authorization-server-metadata-endpoint: 2 passed, 0 failed',
      '✓ authorization-code-grant: 1 passed, 0 failed',
    ]);
  });
});

/** What an agent keeps while its person signs in. */
function providerOf(asked: URL[], document: string | undefined): OAuthClientProvider {
  const kept: { client?: never; tokens?: never; discovered?: never; verifier?: string } = {};
  return {
    redirectUrl: redirectUri,
    ...(document !== undefined && { clientMetadataUrl: document }),
    clientMetadata: { client_name: 'An official client', redirect_uris: [redirectUri] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client as never),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens as never),
    discoveryState: () => kept.discovered,
    saveDiscoveryState: (state) => void (kept.discovered = state as never),
    redirectToAuthorization: (url) => void asked.push(url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
  };
}
