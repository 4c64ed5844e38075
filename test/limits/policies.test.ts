import { describe, expect, it } from 'vitest';
import { defaultPolicies, parsePolicies } from '../../src/limits/policies.ts';

describe('policies', () => {
  it.each([
    ['on', defaultPolicies],
    ['off', 'off'],
    ['{}', defaultPolicies],
    [
      '{"api:global":{"limit":100000,"windowSeconds":60}}',
      { ...defaultPolicies, 'api:global': { limit: 100_000, windowSeconds: 60 } },
    ],
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
