/** The dependencies of provisioning. */
import type { Keyring } from '../auth/keys.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Directory } from '../directory/directory.ts';
import type { Clock } from '../lib/clock.ts';

export interface ProvisionDeps {
  readonly directory: Directory;
  readonly keyring: Keyring;
  readonly tokens: Tokens;
  readonly clock: Clock;
}
