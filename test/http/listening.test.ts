/** A start looks whether its port is free, and nobody who connects meanwhile is taken and let down. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { requireFree } from '../../src/http/listening.ts';
import { freePort } from '../support/free-port.ts';

/** Connects as often as it can, and counts who took it in the second of two shared numbers; the first one ends it. */
const knocking = `
  const { connect } = require('node:net');
  const { workerData: { port, shared } } = require('node:worker_threads');
  const knock = () => {
    if (Atomics.load(shared, 0) === 1) return;
    const connection = connect(port, '127.0.0.1');
    connection.on('connect', () => { if (connection.localPort !== port) Atomics.add(shared, 1, 1); connection.destroy(); });
    connection.on('error', () => {});
    connection.on('close', () => setImmediate(knock));
  };
  for (let at = 0; at < 20; at++) knock();
`;

it('a start that looks whether its port is free takes no connection there', async () => {
  const port = await freePort();
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(knocking, { eval: true, workerData: { port, shared } });
  await once(worker, 'online');

  for (let time = 0; time < 1_000; time++) await requireFree('127.0.0.1', port);

  Atomics.store(shared, 0, 1);
  await once(worker, 'exit');
  expect(shared[1]).toBe(0);
});
