/**
 * The WebSocket for browser extensions that record meetings: an ordinary request until everything is checked. Its token is
 * a subprotocol, since browsers cannot set headers on WebSockets and URLs are logged.
 */
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import type { Keyring } from '../auth/keys.ts';
import { errors } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { countStreams } from '../operations/door/open-streams.ts';
import type { Perform } from '../operations/door/perform.ts';
import type { RequestContext } from '../operations/door/request-context.ts';
import type { Session, Sessions } from '../operations/door/sessions.ts';
import { transcriptAccessIn } from '../operations/conversations/transcript-token.ts';
import { lookAtTranscript, transcriptSocketPath, type Transcripts } from '../operations/conversations/transcripts.ts';
import { countedAddress } from './client-address.ts';
import { report } from './errors.ts';
import type { IsKnownHost } from './known-hosts.ts';
import { closeCodes, TranscriptConnection, defaultSocketTimes, type SocketTimes } from './transcript-connection.ts';

export interface TranscriptSocketParts {
  readonly sessions: Pick<Sessions, 'renew'>;
  readonly perform: Perform;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly transcripts: Pick<Transcripts, 'onStopped'>;
  readonly times?: SocketTimes;
  readonly isKnownHost: IsKnownHost;
  readonly log: Log;
  readonly closing: AbortSignal;
}

/** The subprotocol; the token is offered as another one. */
const protocol = 'kith.transcript.v1';
const mostBytes = 256 * 1024;
/** The most concurrent connections of a process. */
const most = { mostOfUser: 5, mostOfOrganization: 200, mostOfProcess: 2_000 };

/** Whether a request asks for the socket; other upgrade requests are answered as ordinary ones. */
export function wantsSocket({ url, headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url?.split('?', 1)[0] === transcriptSocketPath;
}

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Adds the route. */
export function addTranscriptSocket(app: FastifyInstance, parts: TranscriptSocketParts): void {
  const { perform, sessions, times = defaultSocketTimes, log, closing } = parts;
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: mostBytes,
    perMessageDeflate: false,
    handleProtocols: () => protocol,
  });
  const take = countStreams(most);
  const open = new Map<string, TranscriptConnection>();
  closing.addEventListener('abort', () => {
    for (const connection of open.values())
      connection.end(closeCodes.stopping, 'The service is stopping: connect again');
  });
  // Other processes notice at their next check.
  parts.transcripts.onStopped((id) => void open.get(id)?.look());
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgrades.set(request, { socket, head });
    answerOn(app, request, socket);
  });
  app.get(transcriptSocketPath, async (request, reply) => {
    const upgrade = upgrades.get(request.raw);
    if (!upgrade || !wantsSocket(request.raw)) throw errors.validation('This is the address of a WebSocket');
    const { session, transcriptId, context, state } = await admitted(parts, request);
    if (closing.aborted) throw errors.unavailable(new Error('The service is stopping'));
    const { socket, head } = upgrade;
    const giveBack = take(session.caller);
    if (socket.destroyed) giveBack();
    else socket.once('close', giveBack);
    reply.hijack();
    reply.raw.detachSocket(socket as Socket);
    // A response without its connection never ends, so the request counter would wait for it.
    reply.raw.statusCode = 101;
    reply.raw.emit('close');
    server.handleUpgrade(request.raw, socket, head, (webSocket) => {
      const connection = new TranscriptConnection(
        webSocket,
        { perform, sessions, context, times },
        session,
        transcriptId,
      );
      open.get(transcriptId)?.end(closeCodes.replaced, 'Another connection goes on with this recording');
      open.set(transcriptId, connection);
      webSocket.once('close', () => {
        if (open.get(transcriptId) === connection) open.delete(transcriptId);
      });
      connection.begin(state);
      log.debug({ requestId: request.id }, 'A recording has its socket');
    });
  });
}

/** Answers an upgrade request over its connection, which Node hands over, as an ordinary request. */
async function admitted(
  { isKnownHost, keyring, clock, sessions, perform, log }: TranscriptSocketParts,
  request: FastifyRequest,
) {
  const { host, origin, 'sec-websocket-protocol': offered = '' } = request.headers;
  const isOfExtension = /^(?:chrome|moz|safari-web)-extension:\/\/[\w-]+$/.test(origin ?? '');
  if (!isKnownHost({ ...(host !== undefined && { host }), ...(!isOfExtension && origin !== undefined && { origin }) }))
    throw errors.permissionDenied(
      'Extensions connect, programs, and pages of this service or of KITH_CORS_ORIGINS, by a name of this service',
    );
  const protocols = offered.split(',').map((one) => one.trim());
  const token = protocols.find((one) => one !== protocol && one !== '');
  if (!protocols.includes(protocol) || token === undefined)
    throw errors.unauthorized(`The WebSocket needs two subprotocols: ${protocol}, and the wsToken`);
  const { holder, transcriptId } = transcriptAccessIn(keyring, token, clock.now());
  const session: Session = await sessions.renew({ caller: holder });
  if (session.caller.workspaceUserId !== holder.workspaceUserId) throw errors.unauthorized();
  const context: RequestContext = {
    source: 'api',
    requestId: request.id,
    address: countedAddress(request),
    limitDecisions: [],
    warnings: [],
    report: (error) => report(log, error, request),
  };
  const state = await perform(lookAtTranscript, session, () => ({ id: transcriptId }), context);
  if (state.isStopped) throw errors.conflict('The recording of this meeting was stopped: begin another');
  return { session, transcriptId, context, state };
}

/** Node hands the connection over where another protocol is wanted: the request is answered on it all the same. */
function answerOn(app: FastifyInstance, request: IncomingMessage, socket: Duplex): void {
  // Until the library adds its own listener.
  socket.on('error', () => {});
  const response = new ServerResponse(request);
  response.assignSocket(socket as Socket);
  response.shouldKeepAlive = false;
  // As Node does: a client that does not close its half must not keep the connection.
  response.once('finish', () => (socket as Socket).destroySoon());
  app.routing(request, response);
}
