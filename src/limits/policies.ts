/** How many requests each policy admits in its window, and how an operator changes that. [spec: Rate limits] */
import type { PolicyId } from './limiter.ts';
import { didYouMean } from '../lib/nearest.ts';
import { isObject, parseJson } from '../lib/json.ts';
import type { Json } from '../lib/json.ts';

export interface Policy {
  readonly limit: number;
  readonly windowSeconds: number;
}

export type Policies = Readonly<Record<PolicyId, Policy>>;

/** Counted per client address; per workspace user; per workspace user; per organization; per workspace user. */
export const defaultPolicies: Policies = {
  'api:ip': { limit: 1000, windowSeconds: 60 },
  'api:global': { limit: 600, windowSeconds: 60 },
  'api:expensive': { limit: 90, windowSeconds: 60 },
  'api:bulk': { limit: 20, windowSeconds: 600 },
  'api:messaging-send': { limit: 30, windowSeconds: 3600 },
};

/** The log of an identity grows to its limit: eight bytes a request. */
const maxLimit = 1_000_000;
const maxWindowSeconds = 86_400;

/** Reads `on`, `off`, or JSON that overrides single policies. Throws an Error whose message completes "KITH_RATE_LIMITS …". */
export function parsePolicies(text: string): Policies | 'off' {
  if (text === 'off') return 'off';
  if (text === 'on') return defaultPolicies;
  const overrides = parseOverrides(text);
  return { ...defaultPolicies, ...Object.fromEntries(Object.entries(overrides).map(readOverride)) };
}

function parseOverrides(text: string): { [key: string]: Json } {
  const form = 'must be on, off, or JSON such as {"api:global":{"limit":600,"windowSeconds":60}}';
  let value: Json;
  try {
    value = parseJson(text);
  } catch {
    throw new Error(form);
  }
  if (!isObject(value)) throw new Error(form);
  return value;
}

function readOverride([name, value]: [string, Json]): [PolicyId, Policy] {
  if (!isPolicyId(name)) {
    throw new Error(`names no policy with ${JSON.stringify(name)}${didYouMean(name, Object.keys(defaultPolicies))}`);
  }
  const known = ['limit', 'windowSeconds'];
  const odd = isObject(value) ? Object.keys(value).find((key) => !known.includes(key)) : undefined;
  if (!isObject(value) || odd !== undefined) throw new Error(`must give ${name} as {"limit":N,"windowSeconds":N}`);
  const { limit = defaultPolicies[name].limit, windowSeconds = defaultPolicies[name].windowSeconds } = value;
  return [
    name,
    {
      limit: wholeNumber(limit, maxLimit, `limit of ${name}`),
      windowSeconds: wholeNumber(windowSeconds, maxWindowSeconds, `windowSeconds of ${name}`),
    },
  ];
}

function isPolicyId(name: string): name is PolicyId {
  return Object.hasOwn(defaultPolicies, name);
}

function wholeNumber(value: Json, max: number, what: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Error(`must give the ${what} as a whole number from 1 to ${max}`);
}
