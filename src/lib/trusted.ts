/** Which accounts may own or change what Kith reads: its own, root, and whoever could change Kith itself. */
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The part of `Stats` that says who can change a file or a directory. */
export interface Rights {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/** True also where the system knows no accounts. */
export function isTrustedOwner({ uid }: Rights): boolean {
  const own = process.getuid?.();
  return own === undefined || [own, 0, kithItself().uid].includes(uid);
}

/** Whether its mode lets others write than its owner and a trusted group, such as the private one that many systems give each account. */
export function othersCanWrite({ gid, mode }: Rights): boolean {
  const own = process.getgid?.();
  if (own === undefined) return false;
  const kith = kithItself();
  const trusted = [own, 0, ...((kith.mode & 0o020) === 0 ? [] : [kith.gid])];
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !trusted.includes(gid));
}

/** Whether its mode lets others read it than its owner and the group of this process. */
export function othersCanRead({ gid, mode }: Rights): boolean {
  const own = process.getgid?.();
  return own !== undefined && ((mode & 0o004) !== 0 || ((mode & 0o040) !== 0 && gid !== own && gid !== 0));
}

function kithItself(): Rights {
  return statSync(fileURLToPath(import.meta.url));
}
