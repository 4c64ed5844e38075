/** Whether the process is alive, and whether it can serve: for balancers and supervisors, without a token. */
import type { FastifyInstance } from 'fastify';

const patienceMillis = 1_000;

/** `ready` rejects while the service cannot answer requests; not answering within a second counts the same. */
export function addHealth(app: FastifyInstance, ready: () => Promise<void>): void {
  app.get('/health/live', () => ({ status: 'ok' }));
  app.get('/health/ready', async (_request, reply) => {
    if (await settles(ready())) return { status: 'ok' };
    return reply.code(503).send({ status: 'unavailable' });
  });
}

async function settles(promise: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, patienceMillis, false);
  });
  const inTime = promise.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([inTime, late]);
  } finally {
    clearTimeout(timer);
  }
}
