/** Which ports may be connected to. */

/** What a connection is for. */
export type Use = 'web' | 'mail';

/** Of the ports below 1024, which belong to the services of systems. Port 25 is for servers of mail among each other. */
const systemPorts: Record<Use, readonly number[]> = { web: [80, 443], mail: [143, 465, 587, 993] };

/** From 1024 on: those which the Fetch standard blocks, since they belong to other protocols ("port blocking"). */
const blocked: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Whether a connection for this use may go to the port. */
export function isUsualPort(use: Use, port: number): boolean {
  return port < 1024 ? systemPorts[use].includes(port) : !blocked.has(port);
}
