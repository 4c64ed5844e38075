/** `kith mcp`: the same over standard input and output, here and on a service elsewhere. */
import { spawnSync } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownVersion } from '../../src/lib/own-version.ts';
import { kith as inProcess, kithJson } from '../cli/in-process.ts';
import { launcher, kith as command } from '../cli/kith.ts';
import { kithSecret, startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { eras, message, type Era } from './agent.ts';

let kith: TestKith;
let organization: TestOrganization;
beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
});
afterAll(() => kith.stop());

const here = () => ({ DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret });
const elsewhere = () => ({ KITH_URL: kith.url, KITH_TOKEN: organization.admin.token });

async function connect(env: Record<string, string>, era: Era): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher, 'mcp'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'desktop', version: '1.0.0' }, { versionNegotiation: eras[era] });
  await client.connect(transport);
  return client;
}

describe.each(Object.keys(eras) as Era[])('with an agent of the %s era', { timeout: 60_000 }, (era) => {
  it.each([
    ['on a service elsewhere', elsewhere],
    ['on the database at hand, with a token', () => ({ ...here(), KITH_TOKEN: organization.admin.token })],
    ['on the database at hand, as its admin', here],
  ])('%s', async (_, env) => {
    const client = await connect(env(), era);
    expect(client.getServerVersion()).toMatchObject({ name: 'kith' });
    expect((await client.listPrompts()).prompts).toHaveLength(5);
    const { contents } = await client.readResource({ uri: 'svc://users' });
    expect(JSON.parse((contents[0] as { text: string }).text).data).toMatchObject([{ name: 'Ada Admin' }]);
    await expect(client.readResource({ uri: 'svc://schema/ünknown' })).rejects.toThrow('not found');
    await client.close();
  });
});

it('answers each line, and what is no message, until its input ends', async () => {
  const lines = [
    JSON.stringify(message('ping')),
    '{"jsonrpc"',
    '"\\u0000"',
    '',
    JSON.stringify(message('tools/none', {}, 'b')),
    JSON.stringify(message('tools/call', { name: 'crm_find_records', arguments: { search: '\0' } }, 'c')),
  ];
  const { code, stdout } = await command(['mcp'], elsewhere(), lines.join('\n'));
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(answers).toHaveLength(5);
  expect(answers).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: 1, result: {} }),
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32_700 }) }),
      expect.objectContaining({ error: expect.objectContaining({ message: expect.stringContaining('NUL') }) }),
      expect.objectContaining({ id: 'c', result: expect.objectContaining({ isError: true }) }),
      expect.objectContaining({ id: 'b', error: expect.objectContaining({ code: -32_601 }) }),
    ]),
  );
});

it('says with each message what is wrong with its token, or with the service', async () => {
  const line = JSON.stringify(message('ping'));
  const wrong = await command(['mcp'], { ...elsewhere(), KITH_TOKEN: 'svc_a.b.c' }, line);
  expect(JSON.parse(wrong.stdout)).toMatchObject({ id: 1, error: { data: { code: 'UNAUTHORIZED' } } });
  const gone = await command(['mcp', '--url', 'http://127.0.0.1:1'], elsewhere(), line);
  expect(JSON.parse(gone.stdout)).toMatchObject({ id: 1, error: { data: { code: 'UNAVAILABLE' } } });
});

it('says of what is no message that it is none, and where it leads', async () => {
  const server = createHttpServer((request, response) => {
    const isMoved = request.url?.startsWith('/moved');
    response.writeHead(
      isMoved ? 308 : 200,
      isMoved ? { location: 'https://crm.example/mcp' } : { 'content-type': 'text/html' },
    );
    response.end('<html>\n</html>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const line = JSON.stringify(message('ping'));
  for (const [path, told] of [
    ['', 'answers with the status 200'],
    ['/moved', 'leads to "https://crm.example/mcp"'],
  ] as const) {
    const env = { KITH_URL: `http://127.0.0.1:${port}${path}`, KITH_TOKEN: organization.admin.token };
    const { stdout } = await command(['mcp'], env, line);
    const { id, error } = JSON.parse(stdout);
    expect([id, error.data.code, error.message]).toEqual([1, 'UNAVAILABLE', expect.stringContaining(told)]);
  }
  server.close();
});

it('refuses a line that cannot work before an agent waits for it', async () => {
  expect(await inProcess(['mcp'], { KITH_URL: kith.url })).toMatchObject({ code: 2 });
  expect(await inProcess(['mcp', '--org', 'x'], elsewhere())).toMatchObject({ code: 2 });
  expect(await inProcess(['mcp', '--org', 'nobody'], here())).toMatchObject({ code: 3 });
});

describe('kith mcp config', () => {
  it('prints what agents read', async () => {
    const { json, code } = await kithJson(['mcp', 'config', '--url', 'https://crm.example/'], {});
    expect(code).toBe(0);
    const snippets = json['snippets'] as { client: string; file: string | null; text: string }[];
    const url = 'https://crm.example/mcp';
    const of = (client: string, file: string | null) =>
      snippets.find((snippet) => snippet.client === client && snippet.file === file)?.text ?? '';
    expect(JSON.parse(of('project', '.mcp.json'))).toEqual({
      mcpServers: { kith: { type: 'http', url, headers: { Authorization: 'Bearer ${KITH_TOKEN}' } } },
    });
    expect(JSON.parse(of('cursor', '.cursor/mcp.json')).mcpServers.kith.url).toBe(url);
    const vscode = JSON.parse(of('vscode', '.vscode/mcp.json'));
    expect(vscode.servers.kith).toMatchObject({ type: 'http', url });
    expect(vscode.servers.kith.headers.Authorization).toBe(`Bearer \${input:${vscode.inputs[0].id}}`);
    const desktop = JSON.parse(of('claude-desktop', 'claude_desktop_config.json')).mcpServers.kith;
    // It starts the command anywhere: a name that npm looks up there would be somebody else's package.
    const said = spawnSync(desktop.command, [desktop.args[0], '--version'], { cwd: tmpdir(), encoding: 'utf8' });
    expect(said.stdout).toContain(`kith ${ownVersion()} `);
    expect(desktop.args.slice(1)).toEqual(['mcp', '--url', 'https://crm.example']);
    const link = new URL(of('cursor', null));
    expect(link.href.startsWith('cursor://anysphere.cursor-deeplink/mcp/install?name=kith&')).toBe(true);
    expect(JSON.parse(atob(link.searchParams.get('config') ?? ''))).toMatchObject({ url });
    const { stdout } = await inProcess(['mcp', 'config', '--client', 'claude-code']);
    expect(stdout).toContain(
      'claude mcp add --transport http kith http://127.0.0.1:3000/mcp --header "Authorization: Bearer $KITH_TOKEN"',
    );
  });

  it('refuses a client that it does not know', async () => {
    expect(await inProcess(['mcp', 'config', '--client', 'emacs'])).toMatchObject({ code: 2 });
  });
});
