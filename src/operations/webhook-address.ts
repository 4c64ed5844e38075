/** Whether a webhook may send to an address: asked when it is given, and anew with each connection. */
import type { Call } from '../access/call.ts';
import { errors } from '../errors.ts';
import { OutgoingError } from '../outgoing/failure.ts';

const timeoutMs = 3_000;

/** Throws VALIDATION_ERROR for what is no address, and for one that the service does not connect to. */
export async function checkAddress(call: Call, url: string): Promise<void> {
  try {
    await call.outgoing.judge({ url, isPlainForNamedOnly: true }, { timeoutMs, signal: call.signal });
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    const { reason, message } = error;
    // Names come and go: one that has no address yet is tried when there is something to send.
    if (reason !== 'invalid' && reason !== 'refused') call.warn(message);
    else throw errors.validation(message, [{ field: 'url', message }]);
  }
}
