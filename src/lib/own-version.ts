/** The version of this program. */
import { readFileSync } from 'node:fs';

let version: string | undefined;

/** The version in package.json. */
export function ownVersion(): string {
  if (version === undefined) {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    ({ version } = JSON.parse(text) as { version: string });
  }
  return version;
}
