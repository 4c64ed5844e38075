/**
 * Limits the memory for request bodies of a process, and each user's and organization's share of it, so that slow large
 * bodies cannot block those of others.
 */
import type { FastifyRequest, preParsingHookHandler } from 'fastify';
import { KithError } from '../errors.ts';
import { largestBody } from '../operations/inputs.ts';
import { countedAddress } from './client-address.ts';
import type { BodyShare } from './request-state.ts';

/** Parsing takes ten times the bytes, until the answer is sent. */
const mostBytes = 4 * largestBody;
const mostOfUser = largestBody;
/** Smaller bodies are always accepted. */
const smallBytes = 1024 * 1024;

/** A hook after inflating and authentication; each hook has its own share. Throws UNAVAILABLE. */
export function shareOfBodies(): preParsingHookHandler {
  const all = new Held();
  const ofOrganizations = new Held();
  const ofUsers = new Held();
  return (request, reply, payload, done) => {
    const { organization, user } = senderOf(request);
    let own = 0;
    /** Whether the rest of the body is only read and dropped, so that the answer arrives. */
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
      // An organization may hold at most as many bytes as are still free, so that there is always room for another one.
      const isFull = isLarge && ofOrganizations.of(organization) > mostBytes - all.of('');
      const isGreedy = ofUsers.of(user) > mostOfUser;
      if (!isFull && !isGreedy) return;
      isOver = true;
      const whose = isGreedy ? 'large bodies of yours' : 'large bodies';
      const refusal = new KithError('UNAVAILABLE', `Too many ${whose} come in at once; try again shortly`);
      // Destroying the request itself would close its connection.
      if (payload === request.raw) payload.emit('error', refusal);
      else payload.destroy(refusal);
    });
    done(null, payload);
  };
}

/** Runs `work`, which uses the body of `request`. Its bytes count until then, even if the client has left. */
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

/** Gives the bytes of one body back once its connection is closed and no work uses it. */
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

/** Bytes by holder. */
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
