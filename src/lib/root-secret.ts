/** Requirements of a root secret. Keys are derived from it directly, so a short one could be guessed from any token. */

const leastLength = 32;

/** Completes a sentence that begins with the secret's source; undefined when the secret is acceptable. */
export function secretProblem(secret: string): string | undefined {
  if (secret.length >= leastLength) return undefined;
  return `is too short: a root secret has at least ${leastLength} characters (openssl rand -base64 33 makes one)`;
}
