/**
 * By which name an agent calls itself. The current revision of the protocol says it with each message. The earlier ones say it
 * once, in `initialize`: there the name comes back with each request as the id of its session, of which nothing is kept here.
 */
import { randomUUID } from 'node:crypto';
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { isObject } from '../lib/json.ts';

/** Characters of a name that are worth keeping. */
const mostOfName = 100;
/** In bytes of the id. */
const mostOfId = 1_000;

/** The header that carries the id. */
export const sessionHeader = 'mcp-session-id';

/** The id of a session that begins with `body`; undefined where none does, or where the agent gives no name. */
export function sessionOf(body: unknown): string | undefined {
  if (!isObject(body) || body.method !== 'initialize' || !isObject(body.params)) return undefined;
  const name = nameIn(body.params.clientInfo);
  return name === undefined ? undefined : `${randomUUID()}.${Buffer.from(name).toString('base64url')}`;
}

/** The name in the envelope of a message, else the one in the id of its session. */
export function agentName(
  envelope: { readonly [key: string]: unknown } | undefined,
  session: string | string[] | undefined,
): string | undefined {
  const told = nameIn(envelope?.[CLIENT_INFO_META_KEY]);
  if (told !== undefined || typeof session !== 'string' || session.length > mostOfId) return told;
  const [, name] = session.split('.');
  return name === undefined ? undefined : tidy(Buffer.from(name, 'base64url').toString());
}

function nameIn(info: unknown): string | undefined {
  return isObject(info) && typeof info.name === 'string' ? tidy(info.name) : undefined;
}

/** It is kept in history and shown there: one short line. */
function tidy(name: string): string | undefined {
  const line = name
    .slice(0, mostOfName)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  return line === '' ? undefined : line;
}
