/** The interface described for its caller: the routes, the operations' schemas, the caller's own objects. */
import { Type } from 'typebox';
import type { Endpoint } from '../describe/endpoint.ts';
import { openApiDocument, type Interface } from '../describe/openapi.ts';
import type { Call } from '../access/call.ts';
import { identityOf } from '../lib/identity.ts';
import { writeJson } from '../lib/json-writer.ts';
import { OwnedLru } from '../lib/owned-lru.ts';
import { ownVersion } from '../lib/own-version.ts';
import { defineOperation, JsonText } from './operation.ts';

/** By model and role: for a workspace of thousands of fields, one takes most of a second, and nothing in it is a user's own. */
const documents = new OwnedLru<string, JsonText>({
  name: 'openapi_documents',
  maxBytes: 64 * 1024 * 1024,
  maxOwnerBytes: 32 * 1024 * 1024,
  bytesOf: (_key, { text }) => 2 * text.length,
});

/** Has the documents of the organization kept no longer: its model has changed. */
export function forgetDocuments(organizationId: string): void {
  documents.forget(organizationId);
}

/** Those at work, by the same key: all who ask meanwhile wait for one. */
const pending = new Map<string, Promise<JsonText>>();

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
      const { model, caller } = call;
      const key = `${identityOf(model)} ${caller.role.isAdmin ? 'admin' : caller.role.id}`;
      const known = documents.get(model.organizationId, key);
      if (known) return known;
      const making = pending.get(key) ?? make(call, { prefix, endpoints: endpoints(), version: ownVersion() }, key);
      pending.set(key, making);
      return making;
    },
  });
}

async function make(call: Call, surface: Interface, key: string): Promise<JsonText> {
  try {
    const made = new JsonText(await writeJson(await openApiDocument(call, surface)));
    documents.set(call.model.organizationId, key, made);
    return made;
  } finally {
    pending.delete(key);
  }
}
