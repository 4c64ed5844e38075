/** The interface described for its caller: the routes, the operations' schemas, the caller's own objects. */
import { Type } from 'typebox';
import type { Endpoint } from '../describe/endpoint.ts';
import { openApiDocument } from '../describe/openapi.ts';
import { ownVersion } from '../lib/own-version.ts';
import { defineOperation } from './operation.ts';

/** The operation over the routes of a surface; `endpoints` is called rather than given, since it is one of them itself. */
export function describeInterface(prefix: string, endpoints: () => readonly Endpoint[]) {
  return defineOperation({
    id: 'openapi.get',
    summary: 'The interface as an OpenAPI 3.1 document: what the caller may do, on which objects',
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({ openapi: Type.String({ examples: ['3.1.0'] }) }, { additionalProperties: true }),
    mode: 'read',
    cost: 'global',
    etag: 'answer',
    async run(call) {
      await call.workspace.read();
      return openApiDocument(call, { prefix, endpoints: endpoints(), version: ownVersion() });
    },
  });
}
