/** How much of bodies a process takes in at once: large ones that come together would take all of its memory. */
import type { preParsingHookHandler } from 'fastify';
import { KithError } from '../errors.ts';

/** Four of the largest. What is made of a body takes ten times its bytes, and is kept until the answer. */
const mostBytes = 128 * 1024 * 1024;
/** A body up to this size is always taken: the large ones are those that wait. */
const smallBytes = 1024 * 1024;

/** A hook behind whatever inflates a body; one hook is one share. Refuses with UNAVAILABLE. */
export function shareOfBodies(): preParsingHookHandler {
  let held = 0;
  return (request, reply, payload, done) => {
    let own = 0;
    let isRefused = false;
    reply.raw.once('close', () => {
      held -= own;
    });
    payload.on('data', (chunk: Buffer) => {
      if (isRefused) return; // read away, so that the answer arrives
      own += chunk.length;
      held += chunk.length;
      if (held <= mostBytes || own <= smallBytes) return;
      isRefused = true;
      const refusal = new KithError('UNAVAILABLE', 'Too many large bodies come in at once; try again shortly');
      // Destroyed, the request itself would take its connection along.
      if (payload === request.raw) payload.emit('error', refusal);
      else payload.destroy(refusal);
    });
    done(null, payload);
  };
}
