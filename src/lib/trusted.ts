/** Which accounts may own or change files that Kith reads: its own, root, and those who could change Kith itself. */
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The part of `Stats` that decides who can change a file. */
export interface Rights {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/** Also true where the system has no accounts. */
export function isTrustedOwner({ uid }: Rights): boolean {
  const own = process.getuid?.();
  return own === undefined || [own, 0, kithItself().uid].includes(uid);
}

/** Whether the mode lets anyone write except the owner and a trusted group, such as an account's private group. */
export function othersCanWrite({ gid, mode }: Rights): boolean {
  const own = process.getgid?.();
  if (own === undefined) return false;
  const kith = kithItself();
  const trusted = [own, 0, ...((kith.mode & 0o020) === 0 ? [] : [kith.gid])];
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !trusted.includes(gid));
}

/** Whether the mode lets anyone read except the owner and this process's group. */
export function othersCanRead({ gid, mode }: Rights): boolean {
  const own = process.getgid?.();
  return own !== undefined && ((mode & 0o004) !== 0 || ((mode & 0o040) !== 0 && gid !== own && gid !== 0));
}

function kithItself(): Rights {
  return statSync(fileURLToPath(import.meta.url));
}
