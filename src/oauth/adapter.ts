/** The library's storage over `Entries`: how each kind is found, and what ends with what. */
import { errors, type Adapter, type Payload } from 'oidc-provider';
import type { Clock } from '../lib/clock.ts';
import { ofConnection } from './access-token.ts';
import { organizationOf, type Connections, type ConnectionPlace } from './connections.ts';
import type { Entries, EntryKind } from './entries.ts';

export interface AdapterParts {
  readonly entries: Entries;
  readonly connections: Connections;
  readonly clock: Clock;
  /** The reason for ending a consent in the current request. */
  whyEnded(): string;
}

/** Apps without any consent are forgotten after this time. */
const untriedMs = 30 * 24 * 3_600_000;
const year = 365 * 24 * 3_600;

/** Makes an adapter per kind. Other kinds are not stored: people's sessions are Kith's own. */
export function adapterOf(parts: AdapterParts): (kind: string) => Adapter {
  return (kind) => {
    switch (kind) {
      case 'Client':
      case 'Interaction':
        return { ...keeping(parts, kind), destroy: (id) => parts.entries.remove(kind, id) };
      case 'AuthorizationCode':
      case 'RefreshToken':
        // Removed together with its consent when the connection has ended: until then a second use is detected again.
        return keeping(parts, kind);
      case 'Grant':
        return { ...keeping(parts, kind), destroy: (id) => endGrant(parts, id) };
      case 'AccessToken':
        return { ...nothing, find: (id) => accessToken(parts, id) };
      default:
        return nothing;
    }
  };
}

const nothing: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

function keeping({ entries, clock }: AdapterParts, kind: EntryKind): Adapter {
  return {
    ...nothing,
    upsert(id, payload, expiresIn) {
      const lifetime = expiresIn === undefined ? untriedMs : expiresIn * 1000;
      const grantId = typeof payload.grantId === 'string' ? payload.grantId : undefined;
      return entries.put(kind, id, without(id, payload), clock.now() + lifetime, grantId);
    },
    async find(id) {
      const entry = await entries.find(kind, id);
      if (!entry) return undefined;
      const payload = withSecret(kind, id, entry.content);
      // A used entry can be found longer than it was valid, so that a second use ends what the first one obtained.
      const now = Math.floor(clock.now() / 1000);
      return entry.isConsumed ? { ...payload, consumed: now, exp: now + year } : payload;
    },
    async consume(id) {
      if (!(await entries.consume(kind, id))) throw new errors.InvalidGrant('it was used at the same time');
    },
  };
}

/** The payload without secrets: the library puts an entry's into it, and a request's into its address. */
function without(id: string, payload: Payload): Payload {
  const { returnTo } = payload;
  const goesOn = typeof returnTo === 'string' && returnTo.endsWith(id) ? returnTo.slice(0, -id.length) : undefined;
  return { ...payload, jti: undefined, returnTo: goesOn };
}

function withSecret(kind: EntryKind, id: string, payload: Payload): Payload {
  if (kind === 'Client') return payload;
  const { returnTo } = payload;
  return { ...payload, jti: id, ...(typeof returnTo === 'string' && { returnTo: returnTo + id }) };
}

/** Ends the connection of a consent before anything is answered. */
async function endGrant({ entries, connections, whyEnded }: AdapterParts, id: string): Promise<void> {
  const grant = await entries.find('Grant', id);
  if (!grant) return;
  await connections.end(placeOf(grant.content, id), whyEnded());
  await entries.remove('Grant', id);
  await entries.removeOf(id);
}

/** An access token is its connection, so only its consent is found. */
async function accessToken({ entries }: AdapterParts, id: string): Promise<Payload | undefined> {
  const tokenId = id.startsWith(ofConnection) ? id.slice(ofConnection.length) : '';
  const grant = await entries.find('Grant', tokenId);
  if (!grant) return undefined;
  const { accountId, clientId, exp, iat } = grant.content;
  return { kind: 'AccessToken', jti: id, grantId: tokenId, accountId, clientId, exp, iat };
}

function placeOf({ accountId }: Payload, tokenId: string): ConnectionPlace {
  return { organizationId: organizationOf(accountId), tokenId };
}
