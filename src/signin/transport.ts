/** Sends mails: through the operator's mail server, or without one into files in the data directory. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { newFile } from '../lib/new-file.ts';
import { makePrivateDir } from '../lib/private-dir.ts';
import type { SendMail } from './delivery.ts';

export interface TransportSettings {
  /** `smtp://user:password@host:587` or `smtps://`; undefined to write files. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
  readonly dataDir: string;
}

/** No part of a mail may read files or URLs. */
const closed = { disableFileAccess: true, disableUrlAccess: true };
/** Timeouts of the mail server, in milliseconds. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
/** The most files that are kept. */
const mostFiles = 200;

/** Makes the sender; it rejects if the server does not accept a mail. */
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
