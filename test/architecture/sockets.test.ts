/** One way out: whatever opens a connection to a name from data is in src/outgoing. All that can open or resolve is named here. */
import { parseSync } from '@swc/core';
import { expect, it } from 'vitest';
import { projectFiles, textOf } from './project-files.ts';

/** Modules of Node, and packages, with which a program reaches others. */
const doors = /^(node:)?(net|tls|https?|http2|dgram|dns(\/promises)?|undici|ws|nodemailer|imapflow)$/;
/** Of these modules, what opens nothing. */
const harmless = new Set(['BlockList', 'isIP', 'isIPv4', 'isIPv6']);
/** What reaches others without an import of those modules; the last is of `jose`. */
const globals = new Set([
  'fetch',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
  'getBuiltinModule',
  'createRemoteJWKSet',
]);

/** Who may, what, and why no tenant can name the place. */
const allowed: Record<string, readonly [uses: string, reason: string]> = {
  'src/outgoing/open.ts': ['net connect, tls connect', 'the one way out'],
  'src/outgoing/request.ts': ['http request', 'speaks HTTP on a socket of open.ts'],
  'src/outgoing/resolve.ts': [
    'dns/promises Resolver, dns/promises lookup',
    'asks for the addresses that open.ts judges',
  ],
  'src/postgres/cancel.ts': ['net connect', 'goes to the server that the client is connected to'],
  'src/lib/given-file.ts': ['net Socket', 'reads a pipe that is open already'],
  'src/postgres/stream.ts': ['fetch', 'is a function of its own, for rows'],
  'src/http/listening.ts': [
    'net connect, net createServer',
    'looks whether the address that the operator named is free',
  ],
  'src/http/listeners.ts': ['dns/promises lookup', 'the address that it listens on is of the operator'],
  'src/http/listener.ts': ['net createServer', 'takes connections'],
  'src/http/waiting-connections.ts': ['net connect', 'goes to the socket that it listens on itself'],
  'src/http/transcript-socket.ts': ['http ServerResponse, ws WebSocketServer', 'answer on connections that came in'],
  'src/http/transcript-connection.ts': ['WebSocket', 'is the type of a connection that came in'],
  'src/signin/transport.ts': ['nodemailer createTransport', 'goes to the mail server that the operator named'],
  'src/cli/remote.ts': ['fetch', "the command line's client; KITH_URL is of whoever runs it"],
  'src/mcp/carriers.ts': ['fetch', 'the client of `kith mcp`; KITH_URL is of whoever runs it'],
  'src/mcp/endpoint.ts': ['fetch', "is the library's name for what answers a message"],
  'src/oauth/exchange.ts': [
    'http IncomingMessage, http ServerResponse, net Socket',
    'holds a request and its answer in memory; they are connected to nothing',
  ],
  'src/oauth/provider.ts': ['fetch', "is the library's name for what fetches documents, through the one way out"],
  'src/http/pages/reference.js': ['fetch', 'runs in a browser'],
  'src/http/pages/reference/request.js': ['fetch', 'runs in a browser'],
};

interface Node {
  readonly type?: string;
  readonly value?: unknown;
  readonly typeOnly?: boolean;
  readonly isTypeOnly?: boolean;
  readonly source?: Node | null;
  readonly specifiers?: readonly (Node & {
    readonly imported?: Node | null;
    readonly orig?: Node;
    readonly local?: Node;
  })[];
}

/** What of the doors a program imports or names; types open nothing. */
function usesOf(text: string): string[] {
  const uses = new Set<string>();
  visit(parseSync(text, { syntax: 'typescript', target: 'esnext' }), uses);
  return [...uses].toSorted();
}

function visit(node: unknown, uses: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, value, source, specifiers = [], typeOnly = false } = node as Node;
  if (source && doors.test(String(source.value))) {
    const module = String(source.value).replace('node:', '');
    const names = specifiers
      .filter((specifier) => !specifier.isTypeOnly)
      .map((specifier) => String((specifier.imported ?? specifier.orig ?? specifier.local)?.value ?? '*'));
    // Whoever takes a whole module takes all of it.
    const whole = specifiers.some((specifier) => !/^(Import|Export)Specifier$/.test(specifier.type ?? ''));
    const taken = whole || specifiers.length === 0 ? ['*'] : names.filter((name) => !harmless.has(name));
    if (!typeOnly) for (const name of taken) uses.add(`${module} ${name}`);
    return;
  }
  if (type === 'Identifier' && globals.has(String(value))) uses.add(String(value));
  // `import()`, `require()` and `globalThis[…]` name a door by a text.
  const text = type === 'StringLiteral' ? String(value) : '';
  if (globals.has(text) || (text.startsWith('node:') && doors.test(text))) uses.add(`text ${text}`);
  for (const child of Object.values(node)) visit(child, uses);
}

it.each([
  [`import { connect, isIP } from 'node:net'`, ['net connect']],
  [`import { connect as open } from 'tls'`, ['tls connect']],
  [`import * as net from 'node:net'`, ['net *']],
  [`import http from 'node:http'`, ['http *']],
  [`import 'undici'`, ['undici *']],
  [`export { request } from 'node:https'`, ['https request']],
  [`export * from 'node:dns'`, ['dns *']],
  [`const net = await import('node:net')`, ['text node:net']],
  [`const net = require('node:net')`, ['text node:net']],
  [`process.getBuiltinModule('node:net')`, ['getBuiltinModule', 'text node:net']],
  [`globalThis.fetch(url)`, ['fetch']],
  [`globalThis['fetch'](url)`, ['text fetch']],
  [`new WebSocket(url)`, ['WebSocket']],
  [`import { createRemoteJWKSet } from 'jose'`, ['createRemoteJWKSet']],
  [`import type { Socket } from 'node:net'`, []],
  [`import { type Socket, BlockList } from 'node:net'`, []],
  [`const prefetch = { fetched: 'http' }`, []],
])('sees %s', (text, uses) => {
  expect(usesOf(text)).toEqual(uses);
});

it('nothing but the named files opens or resolves anything', () => {
  const files = projectFiles('src/**/*.{ts,js,mjs}', 'bin/**/*');
  expect(files.length).toBeGreaterThan(200);
  const found = files.map((path) => [path, usesOf(textOf(path))] as const).filter(([, uses]) => uses.length > 0);
  const named = Object.entries(allowed).map(([path, [uses]]) => [path, uses.split(', ').toSorted()] as const);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(named));
});
