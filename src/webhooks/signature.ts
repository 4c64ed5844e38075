/** Signatures of webhook messages by Standard Webhooks: they prove origin, integrity and freshness. */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 32;

/** A new secret in the receiver's form. */
export function newSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

/** The headers of an attempt; `at` is in milliseconds. During a rotation both secrets sign. */
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
