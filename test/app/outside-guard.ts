/** Loaded into every process of Kith before anything else: what would leave the machine is refused, and noted in the file OUTSIDE_LOG. */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isIP, Socket } from 'node:net';

const log = process.env['OUTSIDE_LOG'];
if (log === undefined) throw new Error('OUTSIDE_LOG names the file for what is refused');
appendFileSync(log, `watching ${process.argv.slice(1).join(' ')}\n`);

function note(what: string): void {
  appendFileSync(log ?? '', `refused ${what}\n`);
  throw new Error(`This process must not reach out: ${what}`);
}

function isHere(host: string): boolean {
  return ['localhost', '::1', '0.0.0.0', '::'].includes(host) || (isIP(host) === 4 && host.startsWith('127.'));
}

/** The host of the arguments of Socket.connect; undefined for a socket in the file system. */
function hostOf([first, second]: readonly unknown[]): string | undefined {
  if (Array.isArray(first)) return hostOf(first);
  if (typeof first === 'object' && first !== null) {
    if ('path' in first && first.path) return undefined;
    return 'host' in first && typeof first.host === 'string' ? first.host : 'localhost';
  }
  if (typeof first === 'string' && !/^\d+$/.test(first)) return undefined;
  return typeof second === 'string' ? second : 'localhost';
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Has `check` look at the arguments of each call first. */
function watch(owner: object, names: readonly string[], check: (name: string, args: readonly unknown[]) => void): void {
  for (const name of names) {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== 'function') throw new Error(`There is no ${name} to watch`);
    const watched: Method = function (...args) {
      check(name, args);
      return Reflect.apply(original, this, args);
    };
    Reflect.set(owner, name, watched);
  }
}

function checkName(name: string, [host]: readonly unknown[]): void {
  if (typeof host === 'string' && isIP(host) === 0 && !isHere(host)) note(`${name} ${host}`);
}

watch(Socket.prototype, ['connect'], (_, args) => {
  const host = hostOf(args);
  if (host !== undefined && !isHere(host)) note(`connect ${host}`);
});
watch(dgram.Socket.prototype, ['send', 'connect'], (name) => note(`datagram ${name}`));
watch(dns, ['lookup'], checkName);
watch(dns.promises, ['lookup'], checkName);
const questions = ['resolve', 'resolve4', 'resolve6', 'resolveSrv', 'resolveTxt', 'resolveMx', 'reverse'];
for (const owner of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
  watch(owner, questions, (name, [host]) => note(`${name} ${String(host)}`));
syncBuiltinESMExports();
