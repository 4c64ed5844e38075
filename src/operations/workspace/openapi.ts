/** The OpenAPI document for its caller: the routes, the operations' schemas, and the caller's own objects. */
import { Type } from 'typebox';
import type { Endpoint } from '../../describe/endpoint.ts';
import { openApiDocument, type Interface } from '../../describe/openapi.ts';
import { scopesKey } from '../../access/caller.ts';
import type { Call } from '../../access/call.ts';
import { identityOf } from '../../lib/identity.ts';
import { writeJson } from '../../lib/json-writer.ts';
import { OwnedLru } from '../../lib/owned-lru.ts';
import { ownVersion } from '../../lib/own-version.ts';
import { lengthOf } from '../../lib/long-text.ts';
import { defineOperation, JsonText } from '../door/operation.ts';

/** Cached by model, role and scopes: for thousands of fields it takes most of a second, and nothing in it is a user's own. */
const documents = new OwnedLru<string, JsonText>({
  name: 'openapi_documents',
  maxBytes: 64 * 1024 * 1024,
  maxOwnerBytes: 32 * 1024 * 1024,
  bytesOf: (_key, { text }) => 2 * lengthOf(text),
});

/** Drops the organization's documents, also those being built, as its model has changed. */
export function forgetDocuments(organizationId: string): void {
  documents.forget(organizationId);
  for (const [key, { owner }] of pending) if (owner === organizationId) pending.delete(key);
}

interface Making {
  readonly owner: string;
  readonly document: Promise<JsonText>;
}

/** Documents being built, by the same key: concurrent requests share one. A document that was dropped meanwhile is not cached. */
const pending = new Map<string, Making>();

/** Defines the operation for the routes of a surface. `endpoints` is a function, since the operation is one of them. */
export function describeInterface(prefix: string, endpoints: () => readonly Endpoint[]) {
  return defineOperation({
    id: 'openapi.get',
    summary: 'The interface as an OpenAPI 3.1 document: what the caller may do, on which objects',
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({ openapi: Type.String({ examples: ['3.1.0'] }) }, { additionalProperties: true }),
    effect: 'read',
    cost: 'global',
    etag: 'answer',
    async run(call) {
      await call.workspace.read();
      const { model, caller } = call;
      const key = `${identityOf(model)} ${caller.role.isAdmin ? 'admin' : caller.role.id} ${scopesKey(caller)}`;
      const known = documents.get(model.organizationId, key);
      if (known) return known;
      const making = pending.get(key) ?? begin(call, { prefix, endpoints: endpoints(), version: ownVersion() }, key);
      return making.document;
    },
  });
}

function begin(call: Call, surface: Interface, key: string): Making {
  const owner = call.model.organizationId;
  const making: Making = { owner, document: make(call, surface) };
  pending.set(key, making);
  const ends = () => pending.get(key) === making && pending.delete(key);
  making.document.then((made) => {
    // Otherwise the document of an outdated model would be cached.
    if (ends()) documents.set(owner, key, made);
  }, ends);
  return making;
}

async function make(call: Call, surface: Interface): Promise<JsonText> {
  return new JsonText(await writeJson(await openApiDocument(call, surface)));
}
