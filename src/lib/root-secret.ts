/** What a root secret must be. Keys are derived from it at once, so that a short one could be guessed from any token. */

const leastLength = 32;

/** The rest of a sentence that begins with where the secret was found; undefined when the secret will do. */
export function secretProblem(secret: string): string | undefined {
  if (secret.length >= leastLength) return undefined;
  return `is too short: a root secret has at least ${leastLength} characters (openssl rand -base64 33 makes one)`;
}
