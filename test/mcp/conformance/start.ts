/** The HTTP server of the product with what the suite of conformance asks for: whoever comes is somebody. */
import { createServer, type ServerParts } from '../../../src/http/server.ts';
import { createEndpoint } from '../../../src/mcp/endpoint.ts';
import type { Session } from '../../../src/operations/door/sessions.ts';
import { silentLog } from '../../support/log.ts';
import { conformanceOffer } from './offer.ts';

const log = { ...silentLog, debug: () => {} };

const perform = (() => Promise.resolve({})) as unknown as ServerParts['perform'];

/** Resolves to its address, and what stops it. */
export async function startForConformance(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const session = { caller: { tokenId: null, scopes: [] } } as unknown as Session;
  const server = createServer({
    routes: [],
    sessions: { open: () => Promise.resolve(session) },
    perform,
    answerAgent: createEndpoint(conformanceOffer, { perform, limiter: undefined, log }),
    limiter: undefined,
    log,
    ready: () => Promise.resolve(),
    version: '0.0.0',
    trustedProxies: [],
  });
  const url = await server.listen('127.0.0.1', 0);
  return { url, close: () => server.close(1_000) };
}
