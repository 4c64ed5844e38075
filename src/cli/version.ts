/** `kith --version`: the release and its runtime. */
import { ownVersion } from '../lib/own-version.ts';
import { embeddedVersion } from '../postgres/embedded/runtime.ts';

/** Such as `kith 0.1.0 (node 24.4.1, postgres 18.4)`; without embedded PostgreSQL, only Node. */
export function versionLine(): string {
  const postgres = embeddedVersion();
  return `kith ${ownVersion()} (node ${process.versions.node}${postgres === undefined ? '' : `, postgres ${postgres}`})`;
}
