/** `kith --version`: the release, and what it runs on. */
import { ownVersion } from '../lib/own-version.ts';
import { embeddedVersion } from '../postgres/embedded/runtime.ts';

export function versionLine(): string {
  const postgres = embeddedVersion();
  return `kith ${ownVersion()} (node ${process.versions.node}${postgres === undefined ? '' : `, postgres ${postgres}`})`;
}
