/**
 * One owner per data directory, ensured by a lock that ends with its process, and by a file with a heartbeat where
 * locks are not shared: between machines with a common volume.
 */
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, parseJson } from '../../lib/json.ts';
import { unavailable } from '../failure.ts';
import { takeLock } from './lock.ts';

const beatMs = 2_000;
/** An owner on another machine that misses four beats is gone. */
const patienceMs = 4 * beatMs;

export interface Ownership {
  release(): void;
}

/** Takes ownership of a data directory and its cluster; undefined when a live process of this machine has it. */
export async function own(dataDir: string, clusterDir: string): Promise<Ownership | undefined> {
  // Beside the cluster: a copied data directory may point to the same one.
  const lock = takeLock(`${clusterDir}.lock`);
  if (!lock) return undefined;
  const file = path.join(dataDir, 'owner.json');
  try {
    await claim(file);
  } catch (error) {
    lock.release();
    throw error;
  }
  const beat = setInterval(() => touch(file), beatMs);
  beat.unref();
  return {
    release() {
      clearInterval(beat);
      rmSync(file, { force: true });
      lock.release();
    },
  };
}

/** The owning process according to its file. */
export function ownerPid(dataDir: string): string {
  const owner = readOwner(path.join(dataDir, 'owner.json'));
  if (!owner) return 'another process';
  return `process ${owner.pid}${owner.host === hostname() ? '' : ` in ${owner.host}`}`;
}

/** Writes the owner's file. Throws UNAVAILABLE when it belongs to a live process of another machine. */
async function claim(file: string): Promise<void> {
  const owner = readOwner(file);
  // With the lock held, an earlier owner on this machine cannot be alive.
  if (owner && owner.machine !== machine() && (await beats(file))) {
    throw unavailable(`${path.dirname(file)} is in use by a Kith on another machine (${owner.host})`);
  }
  rmSync(file, { force: true });
  const content = JSON.stringify({ pid: process.pid, host: hostname(), machine: machine() });
  writeFileSync(file, `${content}\n`, { mode: 0o600, flag: 'wx' });
}

function readOwner(file: string): { pid: number; host: string; machine: string } | undefined {
  try {
    const owner = parseJson(readFileSync(file, 'utf8'));
    if (!isObject(owner)) return undefined;
    return { pid: Number(owner['pid']), host: String(owner['host']), machine: String(owner['machine']) };
  } catch {
    return undefined; // missing, or interrupted while it was written
  }
}

/** The machine, as the scope in which locks are shared: containers of one machine share them. */
function machine(): string {
  return process.platform === 'linux' ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : hostname();
}

/** Clocks of two machines may differ, so only a change of the file's time counts. */
async function beats(file: string): Promise<boolean> {
  const first = statSync(file).mtimeMs;
  for (let waited = 0; waited < patienceMs; waited += beatMs / 4) {
    await sleep(beatMs / 4);
    const now = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (now === undefined) return false;
    if (now !== first) return true;
  }
  return false;
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // A full or vanished disk is noticed elsewhere; the lock still protects the directory.
  }
}
