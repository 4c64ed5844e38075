/** Keys derived from the root secrets, one per purpose, each with an id that tokens and ciphertexts contain. */
import { createHash, hkdfSync } from 'node:crypto';

export type Purpose = 'token' | 'seal' | 'cursor' | 'backup' | 'limits' | 'audit';

export interface Key {
  /** Eight characters of base64url. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

export interface Keyring {
  /** The key for new signatures and ciphertexts. */
  current(purpose: Purpose): Key;
  /** The key with that id, of the current or an earlier secret. */
  find(purpose: Purpose, id: string): Key | undefined;
}

/** Makes a keyring; `old` secrets only verify and decrypt. */
export function createKeyring(current: string, old: readonly string[]): Keyring {
  const secrets = [current, ...old].map((secret) => ({
    token: deriveKey(secret, 'token'),
    seal: deriveKey(secret, 'seal'),
    cursor: deriveKey(secret, 'cursor'),
    backup: deriveKey(secret, 'backup'),
    limits: deriveKey(secret, 'limits'),
    audit: deriveKey(secret, 'audit'),
  }));
  const [newest] = secrets;
  if (newest === undefined) throw new Error('A keyring needs a secret');
  return {
    current: (purpose) => newest[purpose],
    find: (purpose, id) => secrets.map((keys) => keys[purpose]).find((key) => key.id === id),
  };
}

function deriveKey(secret: string, purpose: Purpose): Key {
  const bytes = new Uint8Array(hkdfSync('sha256', secret, 'kith', `kith ${purpose} v1`, 32));
  const id = createHash('sha256').update(bytes).digest('base64url').slice(0, 8);
  return { id, bytes };
}
