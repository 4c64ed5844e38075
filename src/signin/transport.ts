/** How a mail leaves: to the operator's mail server, or without one into a file below the data directory. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { newFile } from '../lib/new-file.ts';
import { makePrivateDir } from '../lib/private-dir.ts';
import type { SendMail } from './delivery.ts';

export interface TransportSettings {
  /** `smtp://user:password@host:587` or `smtps://`; undefined: into a file. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
  readonly dataDir: string;
}

/** Nothing that a mail says may name a file or an address to be read. */
const closed = { disableFileAccess: true, disableUrlAccess: true };
/** Milliseconds that a mail server is waited for. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
/** Files that are kept. */
const mostFiles = 200;

/** What sends a mail; it rejects where the server does not take it. */
export function openTransport({ smtpUrl, from, dataDir }: TransportSettings): SendMail {
  if (smtpUrl !== undefined) {
    const transport = createTransport({ url: smtpUrl, ...closed, ...patience });
    return async ({ id, ...mail }) => {
      await transport.sendMail({ ...mail, from, messageId: `<${id}@${hostOf(from)}>` });
      return undefined;
    };
  }
  const composer = createTransport({ streamTransport: true, buffer: true, ...closed });
  return async ({ id, ...mail }) => {
    const { message } = await composer.sendMail({ ...mail, from, messageId: `<${id}@${hostOf(from)}>` });
    const folder = makePrivateDir(join(makePrivateDir(dataDir), 'mail'));
    const path = join(folder, `${new Date().toISOString().replaceAll(':', '')}-${id}.eml`);
    const file = await newFile(path);
    await file.write(message as Buffer);
    await file.finish(false);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).toSorted();
    for (const name of names.slice(0, -mostFiles)) await rm(join(folder, name), { force: true });
    return path;
  };
}

function hostOf(address: string): string {
  return /@([^\s>]+)/.exec(address)?.[1] ?? 'localhost';
}
