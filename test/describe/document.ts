/** The document as a client reads it, and answers held against it. */
import { Compile } from 'typebox/schema';
import { expect } from 'vitest';
import type { Client, Reply } from '../support/kith.ts';

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly ({ readonly $ref: string } | { readonly name: string; readonly in: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Content; readonly headers?: object }>
  >;
}

type Content = Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;

export interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    // oxlint-disable-next-line typescript/no-explicit-any -- JSON Schema
    readonly schemas: Readonly<Record<string, any>>;
    readonly parameters: Readonly<Record<string, { readonly name: string; readonly in: string }>>;
    readonly responses: Readonly<Record<string, { readonly content: Content }>>;
  };
}

export async function documentFor(client: Client): Promise<Document> {
  const reply = await client.get('/openapi.json');
  expect(reply.status, reply.text.slice(0, 500)).toBe(200);
  return reply.json;
}

/** Every operation with its method and path. */
export function operationsIn(document: Document): { method: string; path: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

export function operationOf(document: Document, operationId: string): Operation {
  const found = operationsIn(document).find(({ operation }) => operation.operationId === operationId);
  if (!found) throw new Error(`The document has no operation ${operationId}`);
  return found.operation;
}

/** What is wrong with a value by a schema of the document. */
export function problemsOf(document: Document, schema: object, value: unknown): string[] {
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas });
  const [fits, errors] = Compile(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'))).Errors(value);
  return fits ? [] : errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** That an answer is what the document says of its operation and status. */
export function expectDescribed(
  document: Document,
  operationId: string,
  reply: Pick<Reply, 'status' | 'text' | 'json'>,
): void {
  const { responses } = operationOf(document, operationId);
  const described = responses[reply.status];
  expect(described, `${operationId} ${reply.status} ${reply.text.slice(0, 300)}`).toBeDefined();
  const name = described?.$ref?.slice('#/components/responses/'.length);
  const content = name === undefined ? described?.content : document.components.responses[name]?.content;
  const schema = content?.['application/json']?.schema;
  expect(schema, operationId).toBeDefined();
  expect(problemsOf(document, schema ?? {}, reply.json), `${operationId} ${reply.text.slice(0, 2000)}`).toEqual([]);
}
