/** Whether a server is on this machine. */
import { isLoopback } from './loopback.ts';

/** Whether the URL leads to a loopback address or a Unix socket. */
export function isLocal(databaseUrl: string): boolean {
  const url = URL.parse(databaseUrl);
  const host = url?.searchParams.get('host') ?? url?.hostname ?? '';
  return host === '' || isLoopback(host) || /^(\/|%2F)/i.test(host);
}
