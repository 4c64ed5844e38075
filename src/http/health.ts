/** Whether the process is alive, and whether it can serve: for balancers and supervisors, without a token. */
import type { FastifyInstance } from 'fastify';
import { sharedAnswer } from '../lib/shared-answer.ts';
import { sendJson } from './pretty.ts';

const patienceMillis = 1_000;
/** So old may an answer be: however many ask, the database is asked once in so long, and by one of them. */
const freshMillis = 1_000;

/** `ready` rejects while the service cannot answer requests; not answering within a second counts the same. */
export function addHealth(app: FastifyInstance, ready: () => Promise<void>): void {
  const isReady = sharedAnswer(
    () =>
      ready().then(
        () => true,
        () => false,
      ),
    freshMillis,
  );
  app.get('/health/live', (request, reply) => sendJson(request, reply, { status: 'ok' }));
  app.get('/health/ready', async (request, reply) => {
    if (await inTime(isReady())) return sendJson(request, reply, { status: 'ok' });
    return sendJson(request, reply.code(503), { status: 'unavailable' });
  });
}

/** False also where there is no answer in time. */
async function inTime(answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, patienceMillis, false);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
