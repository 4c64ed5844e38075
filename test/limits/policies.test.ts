import { describe, expect, it } from 'vitest';
import { bucketBy, bucketOf, countedPer } from '../../src/limits/buckets.ts';
import { defaultPolicies, parsePolicies, policyIds, rowOf } from '../../src/limits/policies.ts';

const minutes = 60;

it('RL-06 … RL-22: are the seventeen of the specification, and nothing else', () => {
  const rows = policyIds.map((id) => [
    id,
    defaultPolicies[id].limit,
    defaultPolicies[id].windowSeconds,
    countedPer(id),
  ]);
  expect(rows).toEqual([
    ['auth:magic-link', 15, 10 * minutes, 'IP + email'],
    ['auth:signup', 10, 60 * minutes, 'IP'],
    ['auth:verify-token', 20, 10 * minutes, 'IP + email'],
    ['auth:invite-verify', 20, 10 * minutes, 'IP'],
    ['auth:invite-send', 20, 60 * minutes, 'organization'],
    ['oauth:register', 20, 60 * minutes, 'IP'],
    ['oauth:token', 60, 10 * minutes, 'IP'],
    ['agent:stream', 120, 60 * minutes, 'user, or IP'],
    ['extension:session-create', 20, 10 * minutes, 'user'],
    ['extension:session-create-org', 100, 10 * minutes, 'organization'],
    ['extension:session-stop', 60, 10 * minutes, 'user'],
    ['extension:session-refresh-ws', 30, 10 * minutes, 'user'],
    ['api:ip', 1000, minutes, 'IP'],
    ['api:global', 600, minutes, 'workspace user'],
    ['api:expensive', 90, minutes, 'workspace user'],
    ['api:bulk', 20, 10 * minutes, 'organization'],
    ['api:messaging-send', 30, 60 * minutes, 'workspace user'],
  ]);
});

it('count by their keys: one mailbox however it is spelt, and an address where nobody is known', () => {
  const link = (email: string) => bucketOf('auth:magic-link', { ip: '192.0.2.1', email }).identity;
  expect(link(' Ada@Acme.test ')).toBe(link('ada@acme.test'));
  expect(link('bo@acme.test')).not.toBe(link('ada@acme.test'));
  expect(bucketOf('agent:stream', { ip: '192.0.2.1', userId: 'ada' }).identity).toBe('ada');
  expect(bucketOf('agent:stream', { ip: '192.0.2.1' }).identity).toBe('192.0.2.1');
  expect(() => bucketBy('auth:magic-link', { ip: '192.0.2.1' })).toThrow(/ip, email/);
});

it('let nobody try to sign in without end while the store is down', () => {
  const strict = policyIds.filter((id) => rowOf(id).isStrict);
  expect(strict).toEqual(policyIds.filter((id) => /^(auth|oauth):/.test(id)));
});

describe('policies', () => {
  it.each([
    ['on', defaultPolicies],
    ['off', 'off'],
    ['{}', defaultPolicies],
    [
      '{"api:global":{"limit":100000,"windowSeconds":60}}',
      { ...defaultPolicies, 'api:global': { limit: 100_000, windowSeconds: 60 } },
    ],
    ['{"auth:signup":{"limit":3}}', { ...defaultPolicies, 'auth:signup': { limit: 3, windowSeconds: 3600 } }],
    ['{"api:bulk":{"limit":3}}', { ...defaultPolicies, 'api:bulk': { limit: 3, windowSeconds: 600 } }],
  ])('%s', (text, expected) => {
    expect(parsePolicies(text)).toEqual(expected);
  });

  it.each([
    ['ON', /must be on, off, or JSON/],
    ['[]', /must be on, off, or JSON/],
    ['{"api:globl":{"limit":1}}', /did you mean "api:global"/],
    ['{"__proto__":{"limit":1}}', /names no policy/],
    ['{"api:ip":5}', /must give api:ip as/],
    ['{"api:ip":{"limit":1,"window":60}}', /must give api:ip as/],
    ['{"api:ip":{"limit":0}}', /whole number from 1/],
    ['{"api:ip":{"limit":1.5}}', /whole number from 1/],
    ['{"api:ip":{"limit":"9"}}', /whole number from 1/],
    ['{"api:ip":{"windowSeconds":86401}}', /windowSeconds of api:ip/],
    ['{"api:ip":{"limit":1e999}}', /whole number from 1/],
  ])('refuses %s', (text, message) => {
    expect(() => parsePolicies(text)).toThrow(message);
  });
});
