/** Liveness and readiness for load balancers and supervisors, without a token. */
import type { FastifyInstance } from 'fastify';
import { sharedAnswer } from '../lib/shared-answer.ts';
import { sendJson } from './pretty.ts';

const patienceMs = 1_000;
/** How long an answer is reused, so that the database is asked at most once per interval. */
const freshMillis = 1_000;

/** Adds the routes. `ready` rejects while the service cannot serve; a second without an answer counts as rejected. */
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

/** The answer; false if it does not come in time. */
async function inTime(answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, patienceMs, false);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
