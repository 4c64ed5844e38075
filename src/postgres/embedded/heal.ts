/**
 * Brings a cluster into a state in which PostgreSQL can start. Call it only as the owner of the data directory: then
 * a running server is an orphan, and a stale pid file can be removed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../lib/thrown.ts';
import { unavailable } from '../failure.ts';
import type { Log } from '../log.ts';

const fastStopMs = 10_000;
const killMs = 5_000;

/** Ends the remains of an earlier server, and removes a pid file that names no process or another program. */
export async function heal(clusterDir: string, log: Log): Promise<void> {
  const pidFile = path.join(clusterDir, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  const orphans = processesOf(clusterDir, pid);
  if (orphans.length > 0) {
    log.warn({ pids: orphans }, 'An orphaned PostgreSQL runs on the data directory; it is stopped');
    await end(orphans, pid);
  }
  // Keep a dead server's file: PostgreSQL uses it to check whether the shared memory is still in use.
  if (existsSync(pidFile) && !(pid > 0 && !isAlive(pid))) {
    log.warn({}, 'The pid file of PostgreSQL was empty or named another process; it is removed');
    rmSync(pidFile);
  }
}

async function end(orphans: readonly number[], postmaster: number): Promise<void> {
  // A postmaster shuts down cleanly on SIGINT; orphaned children need SIGTERM.
  const hasHead = orphans.includes(postmaster);
  signal(hasHead ? [postmaster] : orphans, hasHead ? 'SIGINT' : 'SIGTERM');
  if (await allGone(orphans, fastStopMs)) return;
  signal(orphans, 'SIGKILL');
  if (!(await allGone(orphans, killMs))) {
    throw unavailable(`An orphaned PostgreSQL (process ${orphans.join(', ')}) does not end`);
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // it has already ended
    }
  }
}

async function allGone(pids: readonly number[], limitMs: number): Promise<boolean> {
  for (const deadline = performance.now() + limitMs; performance.now() < deadline;) {
    if (!pids.some(isRunning)) return true;
    await sleep(20);
  }
  return false;
}

/** A zombie keeps its number but has no files: its parent has not reaped it yet. */
function isRunning(pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return !existsSync('/proc/self/stat');
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** The PostgreSQL processes working in `clusterDir`; without /proc, at most the postmaster. */
function processesOf(clusterDir: string, postmaster: number): number[] {
  if (!existsSync('/proc/self/cwd')) return isAlive(postmaster) && runsOn(postmaster, clusterDir) ? [postmaster] : [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => pid !== process.pid && worksIn(pid, clusterDir, postmaster));
}

function worksIn(pid: number, clusterDir: string, postmaster: number): boolean {
  try {
    const program = path.basename(readlinkSync(`/proc/${pid}/exe`));
    return readlinkSync(`/proc/${pid}/cwd`) === clusterDir && program.startsWith('postgres');
  } catch {
    // In a container root may not read another account's links, but may read its command line.
    return pid === postmaster && runsOn(pid, clusterDir);
  }
}

function runsOn(pid: number, clusterDir: string): boolean {
  try {
    const words = existsSync('/proc/self/cmdline')
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      : spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
          .stdout.trim()
          .split(' ');
    return path.basename(words[0] ?? '') === 'postgres' && words.includes(clusterDir);
  } catch {
    return false;
  }
}
