/** A start looks whether its port is free, and nobody who connects meanwhile is taken and let down. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { requireFree } from '../../src/http/listening.ts';
import { freePort } from '../support/free-port.ts';

/** Connects as often as it can, and counts who took it. */
const knocking = `
  const { connect } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  let taken = 0, tried = 0, goesOn = true;
  const knock = () => {
    if (!goesOn) return;
    const connection = connect(workerData, '127.0.0.1');
    connection.on('connect', () => { if (connection.localPort !== workerData) taken++; connection.destroy(); });
    connection.on('error', () => {});
    connection.on('close', () => { if (++tried === 1) parentPort.postMessage('knocks'); setImmediate(knock); });
  };
  parentPort.on('message', () => { goesOn = false; parentPort.postMessage(taken); parentPort.close(); });
  for (let at = 0; at < 20; at++) knock();
`;

it('a start that looks whether its port is free takes no connection there', async () => {
  const port = await freePort();
  const worker = new Worker(knocking, { eval: true, workerData: port });
  await once(worker, 'message');

  for (let time = 0; time < 300; time++) await requireFree('127.0.0.1', port);

  worker.postMessage('stop');
  expect(await once(worker, 'message')).toEqual([0]);
  await once(worker, 'exit');
});
