/**
 * A server of the protocol for one exchange: the low-level one, since the other compiles schemas for each. What is offered is
 * given; all that is thrown meanwhile is caught here, in one place.
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

/** What a server has: `Given` is what each exchange brings along. */
export interface Offer<Given> {
  readonly capabilities: ServerCapabilities;
  readonly instructions?: string;
  /** By method. Each throws KithError, or an error of the protocol. */
  readonly answers: { readonly [Method in RequestMethod]?: Answer<Method, Given> };
}

/** One for an exchange. `report` gets what is behind an error that is told to nobody. */
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

/** What is told of an error where the protocol has no place for a refusal of ours: the flat body comes along as its data. */
function protocolErrorOf(thrown: unknown, report: (error: KithError) => void): ProtocolError {
  const error = thrown instanceof KithError ? thrown : errors.internal(thrown);
  if (error.cause !== undefined) report(error);
  const isOurs = error.code === 'INTERNAL_ERROR' || error.code === 'UNAVAILABLE' || error.code === 'RATE_LIMITED';
  const code = isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, error.message, errorBody(error));
}
