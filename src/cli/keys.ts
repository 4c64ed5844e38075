/** `kith keys`: re-encrypts stored secrets under the newest root secret. */
import type { Command } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { withExamples } from './help.ts';
import type { Answering } from './output.ts';

/** Adds `kith keys` with its commands. */
export function addKeysCommands(program: Command, answer: Answering): void {
  const keys = program.command('keys').description('change the root secret');
  const examples = [
    'kith keys rotate',
    'kith keys rotate --lost',
    'KITH_SECRET_KEY=new KITH_SECRET_KEYS_OLD=old kith keys rotate',
  ];
  withExamples(keys, examples);

  const rotate = keys
    .command('rotate')
    .description('seal with KITH_SECRET_KEY what one of KITH_SECRET_KEYS_OLD has sealed, while the service runs');
  withExamples(rotate, examples);
  rotate.option('--lost', 'the secret of some organizations is lost for good: give these a new key');
  rotate.action(({ lost = false }: { readonly lost?: boolean }) =>
    answer(async ({ provision, signIn }) => {
      const { rotateKeys } = await import('../provision/rotate-keys.ts');
      const { failed, replaced, keyId, reencrypted } = await rotateKeys(provision, lost);
      const mails = await signIn.outbox.reseal();
      const value = { keyId, reencrypted: reencrypted + mails, ...(lost && { replaced }) };
      if (failed.length === 0) return { value };
      const message = `Not sealed anew: ${failed.map((one) => `${one.what} (${one.message})`).join('; ')}`;
      return { value: { code: 'WRITE_FAILED', message, ...value, failed }, exitCode: exitCodes.failure };
    }),
  );
}
