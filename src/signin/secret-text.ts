/** Texts that let in whoever has them: links and cookies. Only their hash is kept. */
import { hash, randomBytes } from 'node:crypto';

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a secret: its SHA-256. Nothing can be learned from how long a look for it takes. */
export function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Whether the text can be one. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
