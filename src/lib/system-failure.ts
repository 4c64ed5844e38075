/** Errors of the operating system as sentences for the operator. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { asAccount, nameOf, accountLabel } from './account-name.ts';
import { codeOf } from './thrown.ts';

/** A sentence with a remedy, about the file that the error names or else `what`; undefined for any other error. */
export function systemFailure(error: unknown, what = 'what is written'): string | undefined {
  const sentence = sentences[codeOf(error) ?? ''];
  return sentence?.(error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : what);
}

const full = (what: string) => `There is no room for ${what}: the disk is full; make room and try again`;
const forbidden = (what: string) => {
  const refusal = `The account that Kith runs as${own()} may not use ${what}`;
  const owner = ownerOf(what);
  if (owner === undefined || owner === process.getuid?.())
    return `${refusal}: change its owner or mode, or that of its folder`;
  return `${refusal}, which belongs to ${accountLabel(owner)}: ${asAccount(owner)}, or change its owner or mode`;
};
const tooMany = () =>
  'Too many files are open: allow more (ulimit -n, LimitNOFILE of systemd), or close what else holds many';

const sentences: { readonly [code: string]: (what: string) => string } = {
  ENOSPC: full,
  EDQUOT: full,
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: (what) =>
    `${what} cannot be written: its file system is read-only; mount it for writing, or name another place`,
  ENOTDIR: (what) => `${what} is no directory, or lies below what is none: name another place`,
  EMFILE: tooMany,
  ENFILE: tooMany,
  EIO: (what) => `${what} cannot be read or written: its disk has an error`,
};

function own(): string {
  const uid = process.getuid?.();
  return uid === undefined ? '' : ` (${nameOf(uid) ?? `uid ${uid}`})`;
}

/** For a missing or inaccessible file, the owner of its folder. */
function ownerOf(file: string): number | undefined {
  if (!path.isAbsolute(file)) return undefined;
  for (let at = file; ; at = path.dirname(at)) {
    try {
      return statSync(at).uid;
    } catch {
      if (at === path.dirname(at)) return undefined;
    }
  }
}
