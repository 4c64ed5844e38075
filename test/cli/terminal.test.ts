/** What a start shows on a terminal, and what it shows elsewhere. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { temporaryDir } from '../support/embedded.ts';
import { kith, start } from './kith.ts';
import { ctrlC, onTerminal, type Terminal } from './terminal.ts';

let env: NodeJS.ProcessEnv;
let dropDatabase: () => Promise<void>;
const opened: Terminal[] = [];

beforeEach(async () => {
  const { url, drop } = await testDatabase();
  dropDatabase = drop;
  env = { DATABASE_URL: url, KITH_DATA_DIR: temporaryDir(), PORT: '0' };
});
afterEach(async () => {
  for (const { process: child, ended } of opened.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  await dropDatabase();
  rmSync(env['KITH_DATA_DIR'] ?? '', { recursive: true });
});

function serve(more: NodeJS.ProcessEnv = {}): Terminal {
  const terminal = onTerminal(['serve'], { ...env, ...more });
  opened.push(terminal);
  return terminal;
}

/** What PostgreSQL is, and where, is another one's in each run. */
const database = / {2}database {3}(?:Citus on )?PostgreSQL \d+\.\d+, at [^\n]+\n/;

describe('a start on a terminal', { timeout: 120_000 }, () => {
  it('shows where everything is and a first request, and says that it stopped', async () => {
    const terminal = serve({ KITH_DEMO: 'on', KITH_LOG_LEVEL: 'error', NO_COLOR: '1' });
    await terminal.until('Ctrl-C stops it.\n');
    const shown = terminal.raw();
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(shown)?.[0];
    const token = /^export KITH_TOKEN=(svc_\S+)$/m.exec(shown)?.[1];
    expect(shown).toMatch(database);
    expect(shown.replace(database, '').replace(/ready in \d+\.\d s/, 'ready in 2.0 s')).toBe(`Kith 0.1.0 ready in 2.0 s

  open       ${url}/
  interface  ${url}/api/v1
  reference  ${url}/docs
  data       ${env['KITH_DATA_DIR']}
  demo       on: Acme Demo, whose records come in over the next seconds
             5,000 contacts, 800 companies, 600 opportunities, 250 subscriptions

export KITH_TOKEN=${token}
curl --oauth2-bearer $KITH_TOKEN '${url}/api/v1/me?pretty'

Ctrl-C stops it.
`);
    const wide = shown.split('\n').filter((line) => line.length > 80 && !/KITH_TOKEN=|^ {2}data/.test(line));
    expect(wide).toEqual([]);

    const answer = await fetch(`${url}/api/v1/me?pretty`, { headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/^\{\n {2}"userId": .*\n\}\n$/s)]);

    terminal.type(ctrlC);
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw()).toMatch(/\nStopping, when .* Ctrl-C again stops at once\.\nKith has stopped\.\n$/);
  });

  it('has colours and log lines for people; nothing of it is JSON', async () => {
    const terminal = serve({ KITH_DEMO: 'off', KITH_NONSENSE: '1' });
    await terminal.until('Ctrl-C stops it.');
    expect(terminal.raw()).toContain('\u001b[');
    expect(terminal.shown()).toMatch(/^\d\d:\d\d:\d\d warn {2}KITH_NONSENSE is not a setting of Kith/m);
    expect(terminal.shown()).toMatch(/^\d\d:\d\d:\d\d info {2}The schemas were brought up to date applied=\(\d\)$/m);
    expect(terminal.shown()).not.toContain('{');
    expect(terminal.shown()).toContain('  demo       off\n');
  });

  it('tells the size of a demo that has been there, and of what is left of it', async () => {
    const first = serve({ KITH_DEMO: 'on', KITH_LOG_LEVEL: 'info' });
    await first.until('The demo is complete');
    first.type(ctrlC);
    await first.ended;
    const again = serve({ KITH_DEMO: 'on' });
    await again.until('Ctrl-C stops it.');
    expect(again.shown()).toContain(`  demo       on: Acme Demo
             5,000 contacts, 800 companies, 600 opportunities, 250 subscriptions
`);
  });

  it('says how to make the first organization, and then how to make a token', async () => {
    const first = serve({ KITH_LOG_LEVEL: 'error' });
    await first.until('Ctrl-C stops it.');
    expect(first.shown()).toContain('\nThere is no organization yet. With the same DATABASE_URL, this makes one:\n');
    const line = /^npx (kith org create .*)$/m.exec(first.shown())?.[1] ?? '';
    first.type(ctrlC);
    await first.ended;
    expect((await kith(line.split(' ').slice(1), env)).code).toBe(0);
    const again = serve({ KITH_LOG_LEVEL: 'error' });
    await again.until('Ctrl-C stops it.');
    expect(again.shown()).toContain('\nA token for requests: npx kith token create --help\n');
  });
});

describe('its flags', { timeout: 120_000 }, () => {
  const freePort = async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    return String(port);
  };

  it('count before the environment', async () => {
    const port = await freePort();
    const more = { ...env, PORT: 'nonsense', HOST: '203.0.113.1', KITH_DEMO: 'nonsense', KITH_LOG_LEVEL: 'error' };
    const { process: child, outcome } = start(['serve', '--port', port, '--host', '127.0.0.1', '--demo'], more);
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await expect.poll(() => printed, { timeout: 60_000 }).toContain('Ctrl-C stops the service.');
    child.kill('SIGTERM');
    expect((await outcome).code).toBe(0);
    expect(printed).toContain(`serves http://127.0.0.1:${port}\n`);
    expect(printed).toContain('demo       on: Acme Demo');
  });

  it('hold for every worker, and --demo off is off', async () => {
    const port = await freePort();
    const args = ['serve', '--port', port, '--demo', 'off', '--json'];
    const { process: child, outcome } = start(args, { ...env, KITH_WORKERS: '2', KITH_DEMO: 'on' });
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await expect.poll(() => printed, { timeout: 60_000 }).toBe(`{"url":"http://127.0.0.1:${port}"}\n`);
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    child.kill('SIGTERM');
    const { code, stderr } = await outcome;
    expect(code).toBe(0);
    expect(stderr).toContain('demo       off');
  });
});

describe('a start elsewhere', { timeout: 120_000 }, () => {
  it('prints as ever, and logs JSON', async () => {
    const { process: child, outcome } = start(['serve'], { ...env, KITH_DEMO: 'on' });
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await expect.poll(() => printed, { timeout: 60_000 }).toContain('Ctrl-C stops the service.');
    child.kill('SIGINT');
    const { code, stdout, stderr } = await outcome;
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Kith \S+ serves http:\/\/127\.0\.0\.1:\d+\ndata {7}\S+ \(the database is elsewhere\)\ndemo {7}on: /,
    );
    expect(stdout).toMatch(
      /^ {2}curl -s '\S+\/api\/v1\/records\/contacts\?limit=2' -H 'Authorization: Bearer svc_\S+'$/m,
    );
    expect(stdout.endsWith('Ctrl-C stops the service.\n')).toBe(true);
    const levels = stderr
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { level: string }).level);
    expect(levels).toContain('info');
  });
});
