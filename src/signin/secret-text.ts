/** Secrets in links and cookies, stored as hashes. */
import { hash, randomBytes } from 'node:crypto';

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored SHA-256 of a secret. Lookups by it leak nothing through their timing. */
export function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Whether the text has the form of a secret. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
