/** Signatures of what is sent, as Standard Webhooks says: whoever has the secret knows that it is Kith's, whole and new. */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 32;

/** A new secret, as its receiver keeps it. */
export function newSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

/** The headers of one attempt; `at` is in milliseconds. With several secrets each signs: one of them is about to end. */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  at: number,
  body: string,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
