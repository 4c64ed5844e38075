/**
 * Listeners of this process for new rows. An organization with listeners is polled once a second for all of them, since
 * other processes write, too, and at once on request. Each listener then reads in its own name.
 */
import type { Call } from '../../access/call.ts';
import { StaleCaller } from '../../access/workspace.ts';
import { orAborted } from '../../lib/or-aborted.ts';
import type { Position } from '../../records/past/commit-order.ts';

const everyMs = 1_000;

/** A listener of one caller. */
export interface Listener {
  /**
   * Resolves once there may be something new since the last call; rejects when `signal` is aborted, or when polling is not
   * possible any more.
   */
  next(signal: AbortSignal): Promise<void>;
  leave(): void;
}

/** The result of a poll. */
export interface Found {
  /** The position after the polled rows. */
  readonly last: Position;
  /** Whether there are more rows already. */
  readonly isFull: boolean;
  concerns(call: Call): boolean;
}

/** Polls for rows after a position, in the name of one of the listeners. */
export type Look = (call: Call, after: Position) => Promise<Found>;

/** All listeners of this process for one kind of row. */
export interface Listening {
  /** Starts listening; everything before `position` must be committed and readable. */
  listen(call: Call, position: Position): Listener;
  /** Call it after such a row was committed in this process. */
  lookAtOnce(call: Pick<Call, 'model'>): void;
}

/** Makes the listeners of one kind; call it once per kind. */
export function listeningBy(look: Look): Listening {
  /** By organization id. */
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
    // Only once: later the organization may have another room.
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

  /** Polls sequentially; a request during a poll causes another one. */
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

  /** Polls in the name of one listener. A listener whose caller is no longer valid ends; if no listener can poll, all end. */
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
