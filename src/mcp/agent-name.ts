/**
 * The name of the calling agent. The current protocol revision sends it with each message. Earlier ones send it once, in
 * `initialize`: there the session id contains the name, so that no session needs to be stored.
 */
import { randomUUID } from 'node:crypto';
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { isObject } from '../lib/json.ts';

/** The most characters of a name. */
const mostOfName = 100;
/** The most bytes of a session id. */
const mostOfId = 1_000;

/** The header of the session id. */
export const sessionHeader = 'mcp-session-id';

/** The session id for an `initialize` request; undefined for other bodies and for agents without a name. */
export function sessionOf(body: unknown): string | undefined {
  if (!isObject(body) || body.method !== 'initialize' || !isObject(body.params)) return undefined;
  const name = nameIn(body.params.clientInfo);
  return name === undefined ? undefined : `${randomUUID()}.${Buffer.from(name).toString('base64url')}`;
}

/** The name in a message's envelope, or else in its session id. */
export function agentName(
  envelope: { readonly [key: string]: unknown } | undefined,
  session: string | string[] | undefined,
): string | undefined {
  const current = nameIn(envelope?.[CLIENT_INFO_META_KEY]);
  if (current !== undefined || typeof session !== 'string' || session.length > mostOfId) return current;
  const [, name] = session.split('.');
  return name === undefined ? undefined : tidy(Buffer.from(name, 'base64url').toString());
}

function nameIn(info: unknown): string | undefined {
  return isObject(info) && typeof info.name === 'string' ? tidy(info.name) : undefined;
}

/** Shortens the name to one line, as history shows it. */
function tidy(name: string): string | undefined {
  const line = name
    .slice(0, mostOfName)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  return line === '' ? undefined : line;
}
