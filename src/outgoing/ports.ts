/** Checks which ports may be connected to. */

/** The purpose of a connection. */
export type Use = 'web' | 'mail';

/** The allowed ports below 1024. Port 25 is for mail between servers. */
const systemPorts: Record<Use, readonly number[]> = { web: [80, 443], mail: [143, 465, 587, 993] };

/** Ports from 1024 on that the Fetch standard blocks, since they belong to other protocols ("port blocking"). */
const blocked: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Whether a connection for this purpose may use the port. */
export function isUsualPort(use: Use, port: number): boolean {
  return port < 1024 ? systemPorts[use].includes(port) : !blocked.has(port);
}
