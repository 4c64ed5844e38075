/** Encrypts and decrypts under an organization's data key. The last used keys are cached. */
import type { Call, Vault } from '../../access/call.ts';
import { dataKeyAtHand } from '../../auth/data-key.ts';
import type { Keyring } from '../../auth/keys.ts';
import { open, seal } from '../../auth/seal.ts';
import { bytesOfText, Lru } from '../../lib/lru.ts';
import type { Model } from '../../model/model.ts';

/** Makes the vaults of a process; the result makes `Call.vault` for an organization's model. */
export function createVaults(keyring: Keyring): (model: Model) => Call['vault'] {
  const opened = new Lru<string, Vault>({
    name: 'data keys',
    maxBytes: 1024 * 1024,
    bytesOf: (stored) => bytesOfText(stored) + 1_000,
  });
  return ({ organizationId: id, schema }) =>
    (dataKey) => {
      const found = opened.get(`${id} ${dataKey}`);
      if (found) return found;
      const vault = vaultOf(dataKeyAtHand(keyring, { id, schema }, dataKey));
      opened.set(`${id} ${dataKey}`, vault);
      return vault;
    };
}

function vaultOf(key: Keyring): Vault {
  return {
    seal: (text, place) => seal(key, Buffer.from(text), place),
    open: (sealed, place) => open(key, sealed, place).toString(),
  };
}
