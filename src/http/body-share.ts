/**
 * How much of bodies a process takes in at once: large ones that come together would take all of its memory. Nobody gets all
 * of it, so that whoever sends bodies and never ends them keeps others from sending theirs neither in the own organization
 * nor in another.
 */
import type { FastifyRequest, preParsingHookHandler } from 'fastify';
import { KithError } from '../errors.ts';
import { largestBody } from '../operations/inputs.ts';
import { countedAddress } from './client-address.ts';
import type { BodyShare } from './request-state.ts';

/** What is made of a body takes ten times its bytes, and is kept until the answer. */
const mostBytes = 4 * largestBody;
const mostOfUser = largestBody;
/** A body up to this size is taken whatever others send: the large ones are those that wait. */
const smallBytes = 1024 * 1024;

/** A hook behind whatever inflates a body, and behind authentication; one hook is one share. Refuses with UNAVAILABLE. */
export function shareOfBodies(): preParsingHookHandler {
  const all = new Held();
  const ofOrganizations = new Held();
  const ofUsers = new Held();
  return (request, reply, payload, done) => {
    const { organization, user } = senderOf(request);
    let own = 0;
    /** Nothing of it is kept any more: it is read away, so that the answer arrives. */
    let isOver = false;
    const hold = (bytes: number) => {
      own += bytes;
      all.add('', bytes);
      ofOrganizations.add(organization, bytes);
      ofUsers.add(user, bytes);
    };
    const share = new Share(() => hold(-own));
    request.bodyShare = share;
    reply.raw.once('close', () => {
      isOver = true;
      share.close();
    });
    // Without a listener, the error of an oversized body would end the process.
    payload.on('error', () => {});
    payload.on('data', (chunk: Buffer) => {
      if (isOver) return;
      hold(chunk.length);
      const isLarge = own > smallBytes;
      // An organization leaves as much as it has: however many send at once, whoever comes next gets half of the rest.
      const isFull = isLarge && ofOrganizations.of(organization) > mostBytes - all.of('');
      const isGreedy = ofUsers.of(user) > mostOfUser;
      if (!isFull && !isGreedy) return;
      isOver = true;
      const whose = isGreedy ? 'large bodies of yours' : 'large bodies';
      const refusal = new KithError('UNAVAILABLE', `Too many ${whose} come in at once; try again shortly`);
      // Destroyed, the request itself would take its connection along.
      if (payload === request.raw) payload.emit('error', refusal);
      else payload.destroy(refusal);
    });
    done(null, payload);
  };
}

/**
 * What `work` answers, which reads the body of `request` or has what was made of it. Until then its bytes are held, though
 * its client may have left.
 */
export function holdingBody<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  return request.bodyShare ? whileHolding(request.bodyShare, work) : work();
}

async function whileHolding<T>(share: BodyShare, work: () => Promise<T>): Promise<T> {
  share.begin();
  try {
    return await work();
  } finally {
    share.end();
  }
}

/** When the bytes of one body are free: after its connection is closed and nothing is at work on it. */
class Share implements BodyShare {
  readonly #free: () => void;
  #atWork = 0;
  #isClosed = false;

  constructor(free: () => void) {
    this.#free = free;
  }

  begin(): void {
    this.#atWork++;
  }

  end(): void {
    this.#atWork--;
    this.#settle();
  }

  close(): void {
    this.#isClosed = true;
    this.#settle();
  }

  #settle(): void {
    if (this.#isClosed && this.#atWork === 0) this.#free();
  }
}

function senderOf(request: FastifyRequest): { readonly organization: string; readonly user: string } {
  const address = countedAddress(request);
  const { organizationId = address, workspaceUserId = address } = request.session?.caller ?? {};
  return { organization: organizationId, user: workspaceUserId };
}

/** Bytes by who holds them. */
class Held {
  readonly #bytes = new Map<string, number>();

  of(holder: string): number {
    return this.#bytes.get(holder) ?? 0;
  }

  add(holder: string, bytes: number): void {
    const now = this.of(holder) + bytes;
    if (now === 0) this.#bytes.delete(holder);
    else this.#bytes.set(holder, now);
  }
}
