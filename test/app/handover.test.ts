/** Connections on their way to a worker that loses them: one without a descriptor left gets the message and not the connection. */
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createHandover } from '../../src/workers/handover.ts';

function worker(handover: ReturnType<typeof createHandover>) {
  const sent: Socket[] = [];
  const taker = handover.join((connection) => void sent.push(connection));
  return { sent, taker };
}

it('gives a connection that did not come to another worker, and ends one that came to neither', async () => {
  const handover = createHandover();
  const [first, second] = [worker(handover), worker(handover)];
  const connection = new Socket();
  handover.give(connection);
  expect(first.sent).toEqual([connection]);
  first.taker.confirmed(false);
  expect(second.sent).toEqual([connection]);
  expect(connection.destroyed).toBe(false);
  second.taker.confirmed(false);
  expect(connection.destroyed).toBe(true);
  await handover.done();

  const next = new Socket();
  handover.give(next);
  expect(first.sent.at(-1)).toBe(next);
  first.taker.confirmed(true);
  await handover.done();
});
