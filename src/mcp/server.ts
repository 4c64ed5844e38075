/**
 * An MCP server for one exchange, built on the low-level class, as the high-level one compiles schemas each time. All
 * errors are caught here.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type HandlerResultTypeMap,
  type RequestMethod,
  type RequestTypeMap,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { errors, KithError } from '../errors.ts';
import { ownVersion } from '../lib/own-version.ts';
import { errorBody } from '../operations/door/error-body.ts';

type Answer<Method extends RequestMethod, Given> = (
  request: RequestTypeMap[Method],
  context: ServerContext,
  given: Given,
) => HandlerResultTypeMap[Method] | Promise<HandlerResultTypeMap[Method]>;

/** The parts of a server; `Given` is what each exchange supplies. */
export interface Offer<Given> {
  readonly capabilities: ServerCapabilities;
  readonly instructions?: string;
  /** By method. They throw KithError or a protocol error. */
  readonly answers: { readonly [Method in RequestMethod]?: Answer<Method, Given> };
}

/** Makes the server of an exchange. `report` gets errors whose cause the client does not see. */
export function createServer<Given>(offer: Offer<Given>, given: Given, report: (error: KithError) => void): Server {
  const { capabilities, instructions } = offer;
  const info = { name: 'kith', title: 'Kith', version: ownVersion() };
  const server = new Server(info, { capabilities, ...(instructions !== undefined && { instructions }) });
  const answers = Object.entries(offer.answers) as [RequestMethod, Answer<RequestMethod, Given>][];
  for (const [method, answer] of answers) {
    server.setRequestHandler(method, async (request, context) => {
      try {
        return await answer(request, context, given);
      } catch (error) {
        throw error instanceof ProtocolError ? error : protocolErrorOf(error, report);
      }
    });
  }
  return server;
}

/** The protocol error for a failed request, with the error body as its data. */
function protocolErrorOf(thrown: unknown, report: (error: KithError) => void): ProtocolError {
  const error = thrown instanceof KithError ? thrown : errors.internal(thrown);
  if (error.cause !== undefined) report(error);
  const isOurs = error.code === 'INTERNAL_ERROR' || error.code === 'UNAVAILABLE' || error.code === 'RATE_LIMITED';
  const code = isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, error.message, errorBody(error));
}
