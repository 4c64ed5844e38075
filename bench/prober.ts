/**
 * A thread that asks for one small thing over and over, as another tenant would. Told `begin` and `end`; after `end` it sends
 * how long it waited at most and in the middle.
 */
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

export interface Probe {
  readonly port: number;
  readonly path: string;
  readonly authorization: string;
}

export interface Waited {
  readonly asked: number;
  readonly failed: number;
  readonly medianMs: number;
  readonly longestMs: number;
}

const { port, path, authorization } = workerData as Probe;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const pauseMs = 5;
let times: number[] = [];
let failed = 0;
let ending = false;

parentPort?.on('message', (word: 'begin' | 'end') => {
  if (word === 'begin') {
    times = [];
    failed = 0;
  } else ending = true;
});

function ask(): void {
  const began = performance.now();
  const done = (ok: boolean) => {
    times.push(performance.now() - began);
    if (!ok) failed++;
    if (ending) tell();
    setTimeout(ask, pauseMs);
  };
  get({ agent, host: '127.0.0.1', port, path, headers: { authorization } }, (response) => {
    response.resume().once('end', () => done(response.statusCode === 200));
  }).once('error', () => done(false));
}

function tell(): void {
  ending = false;
  const sorted = times.toSorted((a, b) => a - b);
  const waited: Waited = {
    asked: sorted.length,
    failed,
    medianMs: sorted[sorted.length >> 1] ?? 0,
    longestMs: sorted.at(-1) ?? 0,
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(waited);
}

ask();
