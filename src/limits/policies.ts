/** The policies with their keys, and their configuration. [spec: Rate limits] */
import { didYouMean } from '../lib/nearest.ts';
import { isObject, parseJson } from '../lib/json.ts';
import type { Json } from '../lib/json.ts';

export interface Policy {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Values that can identify the sender of a request. */
export interface Known {
  /** As rate limits count it: an IPv4 address, or an IPv6 network. */
  readonly ip: string;
  readonly email: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly workspaceUserId: string;
}

interface PolicyRow extends Policy {
  /** Requests with equal values of these are counted together. */
  readonly key: readonly (keyof Known)[];
  /** The substitute if values of `key` are unknown. */
  readonly elseKey?: readonly (keyof Known)[];
  /** Strict policies are counted by each process itself if the store is unavailable. */
  readonly isStrict?: true;
}

const minutes = 60;
const hour = 60 * minutes;

/**
 * The table of the specification. Policies of sign-in are strict, so that addresses, codes and tokens cannot be guessed
 * while the store is down. Some are for routes that do not exist yet.
 */
export const policyTable = {
  'auth:magic-link': { limit: 15, windowSeconds: 10 * minutes, key: ['ip', 'email'], isStrict: true },
  'auth:signup': { limit: 10, windowSeconds: hour, key: ['ip'], isStrict: true },
  'auth:verify-token': { limit: 20, windowSeconds: 10 * minutes, key: ['ip', 'email'], isStrict: true },
  'auth:invite-verify': { limit: 20, windowSeconds: 10 * minutes, key: ['ip'], isStrict: true },
  'auth:invite-send': { limit: 20, windowSeconds: hour, key: ['organizationId'], isStrict: true },
  'oauth:register': { limit: 20, windowSeconds: hour, key: ['ip'], isStrict: true },
  'oauth:token': { limit: 60, windowSeconds: 10 * minutes, key: ['ip'], isStrict: true },
  'agent:stream': { limit: 120, windowSeconds: hour, key: ['userId'], elseKey: ['ip'] },
  'extension:session-create': { limit: 20, windowSeconds: 10 * minutes, key: ['userId'] },
  'extension:session-create-org': { limit: 100, windowSeconds: 10 * minutes, key: ['organizationId'] },
  'extension:session-stop': { limit: 60, windowSeconds: 10 * minutes, key: ['userId'] },
  'extension:session-refresh-ws': { limit: 30, windowSeconds: 10 * minutes, key: ['userId'] },
  'api:ip': { limit: 1000, windowSeconds: minutes, key: ['ip'] },
  'api:global': { limit: 600, windowSeconds: minutes, key: ['workspaceUserId'] },
  'api:expensive': { limit: 90, windowSeconds: minutes, key: ['workspaceUserId'] },
  'api:bulk': { limit: 20, windowSeconds: 10 * minutes, key: ['organizationId'] },
  'api:messaging-send': { limit: 30, windowSeconds: hour, key: ['workspaceUserId'] },
} as const satisfies Record<string, PolicyRow>;

export type PolicyId = keyof typeof policyTable;

export type Policies = Readonly<Record<PolicyId, Policy>>;

/** The row of a policy. */
export function rowOf(policy: PolicyId): PolicyRow {
  return policyTable[policy];
}

export const policyIds = Object.keys(policyTable) as readonly PolicyId[];

/** The policies of the specification. */
export const defaultPolicies = changedBy([]);

/** The log of an identity grows up to its limit, with eight bytes per request. */
const maxLimit = 1_000_000;
const maxWindowSeconds = 86_400;

/** Parses `on`, `off`, or JSON that overrides single policies. Throws an Error whose message completes "KITH_RATE_LIMITS …". */
export function parsePolicies(text: string): Policies | 'off' {
  if (text === 'off') return 'off';
  if (text === 'on') return defaultPolicies;
  return changedBy(Object.entries(parseOverrides(text)).map(readOverride));
}

function changedBy(overrides: readonly [PolicyId, Policy][]): Policies {
  const given = new Map(overrides);
  const all = policyIds.map((policy) => {
    const { limit, windowSeconds } = given.get(policy) ?? policyTable[policy];
    return [policy, { limit, windowSeconds }];
  });
  return Object.fromEntries(all) as Policies;
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
    throw new Error(`names no policy with ${JSON.stringify(name)}${didYouMean(name, policyIds)}`);
  }
  const known = ['limit', 'windowSeconds'];
  const odd = isObject(value) ? Object.keys(value).find((key) => !known.includes(key)) : undefined;
  if (!isObject(value) || odd !== undefined) throw new Error(`must give ${name} as {"limit":N,"windowSeconds":N}`);
  const { limit = policyTable[name].limit, windowSeconds = policyTable[name].windowSeconds } = value;
  return [
    name,
    {
      limit: wholeNumber(limit, maxLimit, `limit of ${name}`),
      windowSeconds: wholeNumber(windowSeconds, maxWindowSeconds, `windowSeconds of ${name}`),
    },
  ];
}

function isPolicyId(name: string): name is PolicyId {
  return Object.hasOwn(policyTable, name);
}

function wholeNumber(value: Json, max: number, what: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Error(`must give the ${what} as a whole number from 1 to ${max}`);
}
