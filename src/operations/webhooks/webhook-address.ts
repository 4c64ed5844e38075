/** Checks the URL of a webhook when it is set; each connection checks it again. */
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { OutgoingError } from '../../outgoing/failure.ts';

const timeoutMs = 3_000;

/** Throws VALIDATION_ERROR for an invalid URL, and for one that the service does not connect to. */
export async function checkAddress(call: Call, url: string): Promise<void> {
  try {
    await call.outgoing.judge({ url, isPlainForNamedOnly: true }, { timeoutMs, signal: call.signal });
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    const { reason, message } = error;
    // A name that does not resolve yet is accepted with a warning; it is resolved again when sending.
    if (reason !== 'invalid' && reason !== 'refused') call.warn(message);
    else throw errors.validation(message, [{ field: 'url', message }]);
  }
}
