/** What describes containers and units speaks of things that are there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { readConfig } from '../../src/config.ts';
import { settings } from '../../src/settings.ts';
import { root, textOf } from './project-files.ts';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly environment: Record<string, string>;
  readonly volumes: readonly string[];
  readonly depends_on?: Record<string, { condition: string }>;
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period: string;
}

const instructions = textOf('Dockerfile')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => /^(\w+) (.*)$/.exec(line)?.slice(1) ?? [line, '']);
const all = (name: string) => instructions.flatMap(([first, rest = '']) => (first === name ? [rest] : []));
const manifest = JSON.parse(textOf('package.json')) as { scripts: Record<string, string>; files: string[] };
const compose = parse(textOf('compose.yaml')) as { services: Record<string, Service>; volumes: Record<string, null> };
const ignored = textOf('.dockerignore').split('\n');

function environmentOf(line: string): Record<string, string> {
  return Object.fromEntries(line.split(' ').map((pair) => pair.split('=') as [string, string]));
}

describe('Dockerfile', () => {
  it('copies what is there, and what .dockerignore lets through', () => {
    const sources = all('COPY')
      .filter((rest) => !rest.startsWith('--from'))
      .flatMap((rest) => rest.split(' ').slice(0, -1));
    expect(sources).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', 'bin', 'src', 'docs']));
    for (const source of sources) {
      expect(existsSync(join(root, source)), source).toBe(true);
      expect(ignored, source).toContain(`!${source}`);
    }
    // The client is for other programs.
    const shipped = manifest.files.filter((file) => existsSync(join(root, file)) && !file.startsWith('client/'));
    expect(shipped.filter((file) => !sources.includes(file))).toEqual([]);
  });

  it('runs what npm start runs, not as root, on the Node that Kith needs', () => {
    expect(all('FROM').map((image) => image.split(' ')[0])).toEqual(['node:24-bookworm-slim', 'node:24-bookworm-slim']);
    expect((JSON.parse(all('CMD').at(-1) ?? '') as string[]).join(' ')).toBe(manifest.scripts['start']);
    expect(all('USER')).toEqual(['node']);
    const order = instructions.map(([name]) => name);
    expect(order.lastIndexOf('USER')).toBeGreaterThan(order.lastIndexOf('RUN'));
  });

  it('asks the ready page for its health, where the service listens', () => {
    const env = environmentOf(all('ENV')[0] ?? '');
    const own = Object.keys(env).filter((name) => name !== 'NODE_ENV');
    expect(own.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
    const { config } = readConfig(env, root);
    expect([config.host, all('EXPOSE')]).toEqual(['0.0.0.0', [String(config.port)]]);
    expect(all('VOLUME')).toEqual([config.dataDir]);
    expect(all('HEALTHCHECK')[0]).toContain('/health/ready');
  });
});

describe('compose.yaml', () => {
  const { kith, postgres } = compose.services;

  it('gives the service settings that it takes, and a database on a socket that both share', () => {
    const { config, warnings } = readConfig(kith?.environment, root);
    expect(warnings).toEqual([]);
    const url = new URL(config.databaseUrl ?? '');
    const [, script = '', made] =
      /^\.\/(.*):(\/docker-entrypoint-initdb\.d\/.*\.sh):ro$/.exec(postgres?.volumes.at(-1) ?? '') ?? [];
    expect(made).toBeDefined();
    const [role, database] = [url.searchParams.get('user'), url.pathname.slice(1)];
    // A role without rights beyond its database; and whoever reaches the socket is no other one.
    expect(textOf(script)).toContain(
      `'create role ${role} login' --command 'create database ${database} owner ${role}'`,
    );
    expect(textOf(script)).toContain(
      `'local ${database} ${role} trust' 'local all postgres peer' > "$PGDATA/pg_hba.conf"`,
    );
    for (const service of [kith, postgres]) {
      const targets = service?.volumes.map((volume) => volume.split(':').slice(0, 2)) ?? [];
      expect(targets).toContainEqual(['socket', url.searchParams.get('host')]);
      expect(targets.filter(([name = '']) => !name.startsWith('./') && !Object.hasOwn(compose.volumes, name))).toEqual(
        [],
      );
    }
    expect(kith?.volumes).toContain(`secret:${all('VOLUME')[0]}`);
  });

  it('opens the database to no network, and the service to this machine', () => {
    expect(postgres?.command).toContain('listen_addresses=');
    expect(postgres?.ports).toBeUndefined();
    expect(kith?.ports).toEqual(['127.0.0.1:3000:3000']);
    expect(textOf('compose.yaml')).not.toMatch(/password:/i);
  });

  it('waits for the database, and lets both end by themselves', () => {
    expect(kith?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    expect(postgres?.healthcheck?.test[1]).toBe('pg_isready');
    for (const service of [kith, postgres]) expect(parseInt(service?.stop_grace_period ?? '', 10)).toBeGreaterThan(10);
  });
});

it('deploy/kith.service starts what npm start starts, with settings that Kith has', () => {
  const unit = textOf('deploy/kith.service');
  const of = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map((match) => match[1] ?? '');
  expect(of('ExecStart')[0]).toBe(`/usr/bin/env ${manifest.scripts['start']}`);
  const names = Object.keys(environmentOf(of('Environment')[0] ?? '')).filter((name) => name !== 'NODE_ENV');
  expect(names.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
  // Wrong settings, and a secret that is gone, are not tried every second.
  expect(of('RestartPreventExitStatus')).toEqual([`${exitCodes.usage} ${exitCodes.conflict}`]);
  // The service needs ten seconds at most, and is the one to end what it has started.
  expect([of('KillMode'), Number(of('TimeoutStopSec')[0]) > 10]).toEqual([['mixed'], true]);
  expect(readFileSync(join(root, 'bin/kith.js'), 'utf8')).toMatch(/^#!/);
});
