/** A real server of calendars: Debian's radicale, which keeps files. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const program = '/usr/bin/radicale';

/** Why there is none here; undefined where there can be one. */
export const noCalendarHost: string | undefined = existsSync(program) ? undefined : 'radicale is not installed';

export interface CalendarHost {
  readonly port: number;
  readonly url: string;
  /** Makes a calendar of the user `ada`, whose password is `secret`. */
  makeCalendar(name: string): Promise<void>;
  /** Makes a calendar of all that a calendar's text has. */
  upload(name: string, text: string): Promise<void>;
  removeCalendar(name: string): Promise<void>;
  /** Puts a calendar's text at a name in it, as a program of its owner does. */
  put(calendar: string, name: string, text: string): Promise<void>;
  remove(calendar: string, name: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it for good. */
  end(): Promise<void>;
}

/** Starts one. */
export async function startCalendarHost(): Promise<CalendarHost> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-calendars-'));
  const port = await freePort();
  await writeFile(join(folder, 'users'), 'ada:secret\n');
  await writeFile(join(folder, 'config'), config(folder, port));
  const url = `http://127.0.0.1:${port}/`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    child = spawn(program, ['--config', join(folder, 'config')], { stdio: 'ignore' });
    for (let attempt = 0; attempt < 200; attempt++) {
      if (
        await fetch(url).then(
          () => true,
          () => false,
        )
      )
        return;
      await sleep(50);
    }
    throw new Error(`radicale does not answer on port ${port}`);
  }

  async function stop(): Promise<void> {
    const stopping = child;
    child = undefined;
    if (!stopping || stopping.exitCode !== null) return;
    const gone = new Promise((resolve) => stopping.once('exit', resolve));
    stopping.kill('SIGTERM');
    await gone;
  }

  async function ask(method: string, path: string, body?: string): Promise<void> {
    const headers = {
      authorization: `Basic ${Buffer.from('ada:secret').toString('base64')}`,
      'content-type': 'text/calendar; charset=utf-8',
    };
    const answer = await fetch(`${url}ada/${path}`, { method, headers, ...(body !== undefined && { body }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  }

  await start();
  return {
    port,
    url,
    makeCalendar: (name) => ask('MKCALENDAR', `${name}/`),
    upload: (name, text) => ask('PUT', `${name}/`, text),
    removeCalendar: (name) => ask('DELETE', `${name}/`),
    put: (calendar, name, text) => ask('PUT', `${calendar}/${name}.ics`, text),
    remove: (calendar, name) => ask('DELETE', `${calendar}/${name}.ics`),
    start,
    stop,
    async end() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const config = (folder: string, port: number) => `[server]
hosts = 127.0.0.1:${port}
[auth]
type = htpasswd
htpasswd_filename = ${folder}/users
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = ${folder}/collections
[logging]
level = error
`;
