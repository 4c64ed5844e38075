/**
 * Who waits for notifications in this process. Each organization that has listeners is looked at once a second for all of them, since
 * other processes write notifications, too; and at once where this one has. Who is told something then reads it in its own name.
 */
import type { Call } from '../access/call.ts';
import { StaleCaller } from '../access/workspace.ts';
import { orAborted } from '../lib/or-aborted.ts';
import { sql, statement } from '../postgres/sql.ts';
import { oldestAtWork, positionsBehind, untilIn, type Position } from '../records/past/commit-order.ts';

const everyMs = 1_000;

/** Notifications that one look goes through. */
const mostAtOnce = 1_000;

/** One that waits for what concerns its caller. */
export interface Listener {
  /** Resolves once there may be something new since the last time; rejects when `signal` is aborted, or it cannot be known any more. */
  next(signal: AbortSignal): Promise<void>;
  leave(): void;
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
  readonly #close: () => void;
  #position: Position;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isAskedAgain = false;

  constructor(position: Position, close: () => void) {
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
      const { users, last, isFull } = await usersTold(one.call, this.#position);
      this.#position = last;
      this.#isAskedAgain ||= isFull;
      for (const each of this.waiting) if (users.has(each.call.me)) each.wake();
      return true;
    } catch (error) {
      if (!(error instanceof StaleCaller)) for (const each of [...this.waiting]) each.fail(error);
      one.fail(error);
      return false;
    }
  }
}

/** By organization. */
const rooms = new Map<string, Room>();

/** Waits for the caller's notifications from now on; all that are before `position` are committed and can be read. */
export function listen(call: Call, position: Position): Listener {
  const { organizationId } = call.model;
  let room = rooms.get(organizationId);
  if (!room) rooms.set(organizationId, (room = new Room(position, () => rooms.delete(organizationId))));
  const waiting = new Waiting(call, room);
  room.add(waiting);
  return waiting;
}

/** To be called when a notification of the organization was committed in this process. */
export function lookForNotifications({ model }: Call): void {
  void rooms.get(model.organizationId)?.look();
}

/** Whom the notifications behind `after` are for. */
async function usersTold(call: Call, after: Position) {
  const { workspace, model } = call;
  const [oldest] = await workspace.read(oldestAtWork);
  const query = sql`select n.user_id, n.epoch::text, n.tx::text, n.id::text from ${workspace.table('_notifications')} n
    where ${positionsBehind(sql`n`, after, untilIn(oldest), model.schema)}
    order by n.epoch, n.tx, n.id limit ${mostAtOnce}::int`;
  const [found] = await workspace.read(statement(query, model.version));
  const rows = found?.rows ?? [];
  const [, epoch, tx, id] = rows.at(-1) ?? [];
  return {
    users: new Set(rows.map(([user]) => user)),
    last: id ? { epoch: epoch ?? '', tx: tx ?? '', id } : after,
    isFull: rows.length === mostAtOnce,
  };
}
