/**
 * One owner per data directory. On Linux an abstract Unix socket says so, which vanishes with its process; a file with a
 * heartbeat says it where sockets are not shared: on other systems, and between containers that share a volume.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, parseJson } from '../../lib/json.ts';
import { codeOf } from '../../lib/thrown.ts';
import { unavailable } from '../failure.ts';

const beatMs = 2_000;
/** An owner of another machine or container that misses four beats is gone. */
const patienceMs = 4 * beatMs;

export interface Ownership {
  release(): void;
}

/** Takes a data directory and its cluster, or returns undefined when a living process of this system has them. */
export async function own(dataDir: string, clusterDir: string): Promise<Ownership | undefined> {
  // Named after the cluster: a copied data directory may point to the same one.
  const socket = process.platform === 'linux' ? await listen(socketName(clusterDir)) : undefined;
  if (socket === 'taken') return undefined;
  const file = path.join(dataDir, 'owner.json');
  try {
    if (!(await claim(file, socket !== undefined))) return undefined;
  } catch (error) {
    socket?.close();
    throw error;
  }
  const beat = setInterval(() => touch(file), beatMs);
  beat.unref();
  return {
    release() {
      clearInterval(beat);
      rmSync(file, { force: true });
      socket?.close();
    },
  };
}

/** The process that has the directory, as far as its file says. */
export function ownerPid(dataDir: string): string {
  const owner = readOwner(path.join(dataDir, 'owner.json'));
  return owner ? `process ${owner.pid}` : 'another process';
}

function socketName(directory: string): string {
  return `\0kith-${createHash('sha256').update(directory).digest('hex').slice(0, 32)}`;
}

function listen(name: string): Promise<Server | 'taken'> {
  const { promise, resolve, reject } = Promise.withResolvers<Server | 'taken'>();
  const server = createServer((socket) => socket.destroy());
  server.once('error', (error) => (codeOf(error) === 'EADDRINUSE' ? resolve('taken') : reject(error)));
  server.listen({ path: name, exclusive: true }, () => resolve(server));
  server.unref();
  return promise;
}

/** Writes the owner's file; false when it belongs to a living process of this system. */
async function claim(file: string, haveSocket: boolean): Promise<boolean> {
  const owner = readOwner(file);
  if (owner?.system === system()) {
    // With the socket in hand, an earlier owner of this system cannot be alive.
    if (!haveSocket && isAlive(owner.pid)) return false;
  } else if (owner && (await beats(file))) {
    throw unavailable(
      `${path.dirname(file)} is in use by a Kith in another container or on another machine (${owner.host})`,
    );
  }
  rmSync(file, { force: true });
  const content = JSON.stringify({ pid: process.pid, host: hostname(), system: system() });
  try {
    writeFileSync(file, `${content}\n`, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function readOwner(file: string): { pid: number; host: string; system: string } | undefined {
  try {
    const owner = parseJson(readFileSync(file, 'utf8'));
    if (!isObject(owner)) return undefined;
    return { pid: Number(owner['pid']), host: String(owner['host']), system: String(owner['system']) };
  } catch {
    return undefined; // none, or cut off while it was written
  }
}

/** Names what an abstract socket and a process id are valid in. */
function system(): string {
  if (process.platform !== 'linux') return hostname();
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot} ${readlinkSync('/proc/self/ns/net')}`;
}

/** Clocks of two machines may differ, so that only a change of the file's time counts. */
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
    // A full or vanished disk shows itself elsewhere; the socket still holds the directory.
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
