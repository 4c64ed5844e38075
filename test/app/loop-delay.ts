/**
 * Loaded into a service before it begins: on SIGUSR2 it writes into a file for how long its event loop was held since the
 * last time, by the clock, and how much of the processor the main thread took meanwhile, which other processes do not change;
 * with all that it took since.
 */
import { renameSync, writeFileSync } from 'node:fs';

const tickMs = 5;
let held = { ms: 0, cpuMs: 0 };
let last = now();
let asked = last;

function now() {
  const { user, system } = process.threadCpuUsage();
  return { ms: performance.now(), cpuMs: (user + system) / 1000 };
}

function look(): void {
  const here = now();
  held = {
    ms: Math.max(held.ms, here.ms - last.ms - tickMs),
    cpuMs: Math.max(held.cpuMs, here.cpuMs - last.cpuMs),
  };
  last = here;
}

setInterval(look, tickMs).unref();

process.on('SIGUSR2', () => {
  const file = process.env['KITH_TEST_LOOP_DELAY'];
  if (file === undefined) return;
  look();
  writeFileSync(`${file}.new`, JSON.stringify({ ...held, workMs: last.cpuMs - asked.cpuMs }));
  renameSync(`${file}.new`, file);
  asked = last;
  held = { ms: 0, cpuMs: 0 };
});
