/** The service in several processes, seen from outside: who they are, and connections that stay with one of them. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** The processes that `pid` has started; none when it is gone. */
export function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export function isAlive(pid: number): boolean {
  try {
    // A process that has ended and was not waited for yet is a zombie.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface Line {
  /** Rejects when the connection broke. `taken` is called when the other side has the request, before it answers. */
  ask(method: string, path: string, body?: object, taken?: () => void): Promise<Answer>;
  close(): void;
}

/** A client with one connection, opened with its first request and again after it broke. */
export function openLine(url: string, token: string): Line {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    ask: (method, path, body, taken) =>
      new Promise((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(taken && { expect: '100-continue' }),
        };
        const sent = request(url + path, { method, agent, headers }, (response) => {
          const { statusCode: status = 0, headers: told } = response;
          text(response).then((read) => resolve({ status, headers: told, text: read }), reject);
        });
        sent.on('error', reject);
        if (taken) sent.once('continue', taken);
        sent.end(body && JSON.stringify(body));
      }),
    close: () => agent.destroy(),
  };
}
