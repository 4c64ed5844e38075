/**
 * Who waits in this process for what is written. Each organization that has listeners is looked at once a second for all of them,
 * since other processes write, too; and at once where that is asked for. Who is told then reads in its own name.
 */
import type { Call } from '../access/call.ts';
import { StaleCaller } from '../access/workspace.ts';
import { orAborted } from '../lib/or-aborted.ts';
import type { Position } from '../records/past/commit-order.ts';

const everyMs = 1_000;

/** One that waits for what concerns its caller. */
export interface Listener {
  /** Resolves once there may be something new since the last time; rejects when `signal` is aborted, or it cannot be known any more. */
  next(signal: AbortSignal): Promise<void>;
  leave(): void;
}

/** What one look has found. */
export interface Found {
  /** Behind what was looked at. */
  readonly last: Position;
  /** Whether there is more already. */
  readonly isFull: boolean;
  concerns(call: Call): boolean;
}

/** Looks behind a position, in the name of one of those who wait. */
export type Look = (call: Call, after: Position) => Promise<Found>;

/** All who wait in this process for the same kind of thing. */
export interface Listening {
  /** Waits from now on; all that is before `position` is committed and can be read. */
  listen(call: Call, position: Position): Listener;
  /** To be called when something of the kind was committed in this process. */
  lookAtOnce(call: Pick<Call, 'model'>): void;
}

/** To be called once for each kind. */
export function listeningBy(look: Look): Listening {
  /** By organization. */
  const rooms = new Map<string, Room>();
  return {
    listen(call, position) {
      const { organizationId } = call.model;
      let room = rooms.get(organizationId);
      if (!room) rooms.set(organizationId, (room = new Room(look, position, () => rooms.delete(organizationId))));
      const waiting = new Waiting(call, room);
      room.add(waiting);
      return waiting;
    },
    lookAtOnce({ model }) {
      void rooms.get(model.organizationId)?.look();
    },
  };
}

class Waiting implements Listener {
  readonly call: Call;
  readonly #room: Room;
  #change = Promise.withResolvers<void>();

  constructor(call: Call, room: Room) {
    this.call = call;
    this.#room = room;
    this.#change.promise.catch(() => {});
  }

  async next(signal: AbortSignal): Promise<void> {
    await orAborted(this.#change.promise, signal);
    this.#change = Promise.withResolvers();
    this.#change.promise.catch(() => {});
  }

  wake(): void {
    this.#change.resolve();
  }

  fail(error: unknown): void {
    this.#change.reject(error);
    this.leave();
  }

  leave(): void {
    // Once: by the second time there may be another room of the organization.
    if (this.#room.waiting.delete(this) && this.#room.waiting.size === 0) this.#room.close();
  }
}

/** The listeners of one organization. */
class Room {
  readonly waiting = new Set<Waiting>();
  readonly #look: Look;
  readonly #close: () => void;
  #position: Position;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isAskedAgain = false;

  constructor(look: Look, position: Position, close: () => void) {
    this.#look = look;
    this.#position = position;
    this.#close = close;
  }

  add(one: Waiting): void {
    this.waiting.add(one);
    if (this.waiting.size === 1) this.#rest();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#close();
  }

  /** One look after the other; one that is asked for meanwhile follows. */
  async look(): Promise<void> {
    this.#isAskedAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    clearTimeout(this.#timer);
    while (this.#isAskedAgain && this.waiting.size > 0) {
      this.#isAskedAgain = false;
      for (const one of [...this.waiting]) if (await this.#lookThrough(one)) break;
    }
    this.#isLooking = false;
    this.#rest();
  }

  #rest(): void {
    if (this.waiting.size > 0) this.#timer = setTimeout(() => void this.look(), everyMs).unref();
  }

  /** Looks in the name of one of them. Whoever is not good for that any more ends; where nobody could, all do. */
  async #lookThrough(one: Waiting): Promise<boolean> {
    try {
      const found = await this.#look(one.call, this.#position);
      this.#position = found.last;
      this.#isAskedAgain ||= found.isFull;
      for (const each of this.waiting) if (found.concerns(each.call)) each.wake();
      return true;
    } catch (error) {
      if (!(error instanceof StaleCaller)) for (const each of [...this.waiting]) each.fail(error);
      one.fail(error);
      return false;
    }
  }
}
