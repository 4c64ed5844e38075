/** The real service as a process of its own, to be killed. */
import { createInterface } from 'node:readline';
import { start, type Outcome } from '../cli/kith.ts';
import { testSecret } from '../support/engine.ts';

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** True until the process has ended. */
  running(): boolean;
  kill(signal: 'SIGKILL' | 'SIGTERM'): void;
  readonly outcome: Promise<Outcome>;
}

/** No limits, no demo, nothing beside requests, any free port, one process, and nothing said. */
export const serviceEnv: Readonly<Record<string, string>> = {
  PORT: '0',
  KITH_SECRET_KEY: testSecret,
  KITH_RATE_LIMITS: 'off',
  KITH_DEMO: 'off',
  KITH_JOBS: 'off',
  KITH_WORKERS: '1',
  KITH_LOG_LEVEL: 'silent',
};

/** Started, and ready to serve. */
export async function serve(env: NodeJS.ProcessEnv): Promise<ServiceProcess> {
  const { process: child, outcome } = start(['serve', '--json'], { ...serviceEnv, ...env });
  const { stdout, pid } = child;
  if (!stdout || pid === undefined) throw new Error('The service could not be started');
  for await (const line of createInterface({ input: stdout })) {
    const { url, message } = JSON.parse(line) as { url?: string; message?: string };
    if (url === undefined) throw new Error(`The service did not start: ${message}`);
    return {
      url,
      pid,
      running: () => child.exitCode === null && child.signalCode === null,
      kill: (signal) => void child.kill(signal),
      outcome,
    };
  }
  throw new Error(`The service did not start: ${(await outcome).stderr}`);
}

/** Sends JSON; undefined when the connection broke before the answer was there. */
export async function ask(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; headers: Headers; json: Record<string, unknown> } | undefined> {
  try {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      headers: response.headers,
      json: (await response.json()) as Record<string, unknown>,
    };
  } catch {
    return undefined;
  }
}
