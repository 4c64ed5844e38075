/** Names of the local machine. */

/** Whether a host name, with or without the brackets of IPv6, means the local machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){1,3}|\[?::1\]?)$/i.test(hostname);
}
