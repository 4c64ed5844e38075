/**
 * The suite of conformance that the protocol's authors keep, by what each revision requires. It is installed apart, since it brings
 * a hundred packages: `npm ci --ignore-scripts --prefix test/mcp/conformance`, which `.ci/run` does.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type TestKith } from '../support/kith.ts';
import { startForConformance } from './conformance/start.ts';
import { suite } from './suite.ts';
import { withToken } from './conformance/with-token.ts';

interface Outcome {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/** What is required of the revision alone. */
async function run(url: string, revision: string): Promise<Outcome> {
  const child = spawn(process.execPath, [suite, 'server', '--url', `${url}/mcp`, '--requirements', revision]);
  const [printed] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const unscored = new Set([...printed.matchAll(/^ {2}[✓✗] (\S+) \(/gm)].map(([, name]) => name));
  const scenarios = [...printed.matchAll(/^([✓✗]) (\S+): \d+ passed, \d+ failed$/gm)].filter(
    ([, , name]) => !unscored.has(name),
  );
  const of = (mark: string) =>
    scenarios.flatMap(([, own, name]) => (own === mark ? [name ?? ''] : [])).toSorted((a, b) => (a < b ? -1 : 1));
  return { passed: of('✓'), failed: of('✗') };
}

describe.skipIf(!existsSync(suite))('the suite of conformance', { timeout: 300_000 }, () => {
  let server: Awaited<ReturnType<typeof startForConformance>>;
  beforeAll(async () => {
    server = await startForConformance();
  });
  afterAll(() => server.close());

  it('passes whole for the current revision', async () => {
    const { passed, failed } = await run(server.url, '2026-07-28');
    expect(failed).toEqual([]);
    expect(passed).toHaveLength(37);
  });

  it('passes for the earlier ones, but for what asks the client on a session', async () => {
    const { passed, failed } = await run(server.url, '2025-11-25');
    expect(failed).toEqual([
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'tools-call-elicitation',
      'tools-call-sampling',
    ]);
    expect(passed).toHaveLength(26);
  });
});

/**
 * The suite calls tools, resources and prompts by names of its own, which the product does not have: `tools-call-…`,
 * `resources-read-…`, `resources-templates-read`, `prompts-get-…`, most of `input-required-result-…`, and a part of
 * `server-stateless`. Nor does the product offer logging, completions or subscriptions. All else has to pass.
 */
describe.skipIf(!existsSync(suite))('the product itself', { timeout: 300_000 }, () => {
  let kith: TestKith;
  let before: Awaited<ReturnType<typeof withToken>>;
  beforeAll(async () => {
    kith = await startKith();
    const { admin } = await kith.organization();
    before = await withToken(kith.url, admin.token);
  });
  afterAll(async () => {
    await before.close();
    await kith.stop();
  });

  it.each([
    [
      '2026-07-28',
      [
        'caching',
        'dns-rebinding-protection',
        'input-required-result-ignore-extra-params',
        'input-required-result-missing-input-response',
        'input-required-result-unsupported-methods',
        'input-required-result-validate-input',
        'prompts-list',
        'resources-list',
        'sep-2164-resource-not-found',
        'server-sse-multiple-streams',
        'tools-list',
      ],
    ],
    [
      '2025-11-25',
      [
        'dns-rebinding-protection',
        'ping',
        'prompts-list',
        'resources-list',
        'server-initialize',
        'server-sse-multiple-streams',
        'tools-list',
      ],
    ],
  ])('passes what does not ask for names of the suite: %s', async (revision, passes) => {
    expect((await run(before.url, revision)).passed).toEqual(passes);
  });
});
