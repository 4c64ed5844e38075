/**
 * The change feed: changes in the order of commits, for a caller that keeps a copy. Each event has the record's
 * current state, so a client that applies all of them in order has what lists show. [issue: Following]
 */
import type { Call } from '../../access/call.ts';
import { dayOf } from '../../fields/local-time.ts';
import { utf8Length, type LongText } from '../../lib/long-text.ts';
import type { ObjectDef } from '../../model/model.ts';
import { mostBytes } from '../../query/fitting.ts';
import { oldestAtWork, start, untilIn, type Position } from '../past/commit-order.ts';
import { decidingOf, sightOf } from './deciding.ts';
import { entriesAt, entriesBehind, type FeedEntry } from './entries.ts';
import { eventText, type EventType } from './event-text.ts';
import { eventId, readPosition, writePosition, type FeedPosition } from './position.ts';
import { recordsNow, type FollowedObject, type RecordNow } from './records-now.ts';
import { seenBefore, type Moment } from './seen-before.ts';

/** One event of the feed. */
export interface FollowedEvent {
  /** A UUID, the same for the same change in every read and for every reader. */
  readonly id: string;
  readonly type: EventType;
  /** Null in a `reset` of all objects. */
  readonly objectName: string | null;
  /** Null in a `reset`. */
  readonly recordId: string | null;
  /** The names of the changed fields that the caller sees; undefined where the event is about the whole record. */
  readonly fields?: readonly string[];
  /** The event as JSON text. */
  readonly json: LongText;
  /** Where to continue after it; `writePosition` makes it a text. */
  readonly position: FeedPosition;
}

export interface Followed {
  readonly events: readonly FollowedEvent[];
  /** Where to continue. */
  readonly position: string;
  /** Whether there may be more already. */
  readonly hasMore: boolean;
}

export interface Following {
  /** Maximum number of events. */
  readonly limit: number;
  /** The objects to report; none is internal, and the caller may see records of each. */
  readonly objects: readonly FollowedObject[];
}

/** Entries per statement. */
const mostEntries = 1_000;

/** How often one answer searches for visible entries. */
const mostLooks = 10;

/**
 * The events after `after`: a position of an earlier answer, `now` for the present position without events, or
 * undefined for all from the oldest. Throws VALIDATION_ERROR for any other text.
 */
export async function followedChanges(
  call: Call,
  after: string | undefined,
  { limit, objects }: Following,
): Promise<Followed> {
  const from = after === undefined || after === 'now' ? undefined : readPosition(call.signer, after);
  const [oldest] = await call.workspace.read(oldestAtWork(call.model.schema));
  // Everything written by earlier transactions can be read by now.
  const head: Position = { epoch: call.model.epoch, tx: untilIn(oldest), id: '0' };
  const feed = new Feed(call, objects, head);
  if (after === 'now') return { events: [], position: feed.positionAt(head), hasMore: false };
  if (from && from.sight !== feed.sight) return feed.begunAnew(from.place);
  const place = from?.place ?? start;
  return feed.page(place, limit, from && from.day !== feed.day ? feed.resetsOfTheDay(place, from.day) : []);
}

/**
 * The current events of entries that the feed has already passed, by history id; undefined for one without an event.
 * Those that do not fit into one answer are missing; the first is always included.
 */
export async function followedEvents(
  call: Call,
  entries: readonly Position[],
  objects: readonly FollowedObject[],
): Promise<ReadonlyMap<string, FollowedEvent | undefined>> {
  return new Feed(call, objects, start).at(entries);
}

/** The feed for one caller at one moment. */
class Feed {
  readonly sight: string;
  readonly day: string;
  readonly #call: Call;
  readonly #objects: readonly FollowedObject[];
  readonly #head: Position;
  readonly #followed: ReadonlyMap<string, FollowedObject>;
  /** Dependent objects by the ids of the objects whose rows decide about their records. */
  readonly #leaning = new Map<string, ObjectDef[]>();

  constructor(call: Call, objects: readonly FollowedObject[], head: Position) {
    const definitions = objects.map(({ object }) => object);
    this.#call = call;
    this.#objects = objects;
    this.#head = head;
    this.#followed = new Map(objects.map((followed) => [followed.object.id, followed]));
    for (const object of definitions)
      for (const id of decidingOf(call, object).beyond.keys())
        this.#leaning.set(id, [...(this.#leaning.get(id) ?? []), object]);
    this.sight = sightOf(call, definitions);
    this.day = dayOf(call.now, call.model.timeZone);
  }

  positionAt(place: Position): string {
    return writePosition(this.#call.signer, this.#behind(place));
  }

  #behind(place: Position, day = this.day): FeedPosition {
    return { place, sight: this.sight, day };
  }

  /**
   * The caller may now see other records or fields: a `reset` makes it read everything again, and continue from here.
   */
  begunAnew(place: Position): Followed {
    const id = eventId(this.#call.signer, place, this.sight);
    return { events: [this.#reset(id, null, this.#head)], position: this.positionAt(this.#head), hasMore: false };
  }

  /**
   * For objects whose visible records depend on the time: a `reset` once a day. A caller that takes only some of
   * these events is still at `day`, and gets all of them again.
   */
  resetsOfTheDay(place: Position, day: string): readonly FollowedEvent[] {
    const timed = this.#objects.filter(({ object }) => decidingOf(this.#call, object).isTimed);
    const resets = timed.map(({ object }) =>
      this.#reset(eventId(this.#call.signer, place, `${object.id} ${this.day}`), object, place),
    );
    const position = this.#behind(place, day);
    return resets.map((event, at) => (at < resets.length - 1 ? { ...event, position } : event));
  }

  /** `first` are the events that precede the page. */
  async page(after: Position, limit: number, first: readonly FollowedEvent[]): Promise<Followed> {
    const events = [...first];
    const objectIds = [...new Set([...this.#followed.keys(), ...this.#leaning.keys()])];
    // Some of the entries may be invisible to the caller.
    const most = Math.min(mostEntries, limit + 100);
    let place = after;
    // Continues even with enough events, to find out whether there are more.
    for (let looks = 0; looks < mostLooks; looks++) {
      const entries = await entriesBehind(this.#call, objectIds, { after: place, until: this.#head.tx, most });
      const found = await this.#eventsOf(entries);
      const room = roomIn(events, found, limit);
      events.push(...found.slice(0, room).flatMap(({ event }) => event ?? []));
      const next = found[room];
      if (next) {
        const last = found[room - 1]?.entry.place ?? place;
        return { events, position: this.positionAt(last), hasMore: true };
      }
      place = entries.at(-1)?.place ?? place;
      if (entries.length < most) return { events, position: this.positionAt(this.#head), hasMore: false };
    }
    return { events, position: this.positionAt(place), hasMore: true };
  }

  /** The event of each entry on its own; those that do not fit are missing. */
  async at(places: readonly Position[]): Promise<ReadonlyMap<string, FollowedEvent | undefined>> {
    const events = new Map<string, FollowedEvent | undefined>(places.map(({ id }) => [id, undefined]));
    const entries = await entriesAt(this.#call, [...this.#followed.keys()], places);
    for (const { entry, event, isLacking: lacks } of await this.#eventsOf(entries, true))
      if (lacks) events.delete(entry.place.id);
      else events.set(entry.place.id, event);
    return events;
  }

  /** The outcomes of entries in order; with `isAlone`, each on its own, without the effects on dependent objects. */
  async #eventsOf(entries: readonly FeedEntry[], isAlone = false): Promise<readonly Outcome[]> {
    const now = await recordsNow(this.#call, this.#idsIn(entries));
    const moments = new Map<FeedEntry, Moment>();
    for (const entry of entries) {
      const followed = this.#followed.get(entry.objectId);
      if (followed && this.#dependsOnBefore(entry, followed.object, now.get(entry.recordId)))
        moments.set(entry, { recordId: entry.recordId, entryId: entry.place.id });
    }
    const wanted = this.#objects.flatMap(({ object }) =>
      [false, true].map((isByCondition) => ({
        object,
        isByCondition,
        moments: [...moments].flatMap(([entry, moment]) =>
          entry.objectId === object.id && this.#isUndecided(entry, object) === isByCondition ? [moment] : [],
        ),
      })),
    );
    const seen = await seenBefore(this.#call, wanted);
    const resetBefore = new Set<ObjectDef>();
    return entries.flatMap((entry): Outcome[] => {
      const reset = isAlone ? new Set<ObjectDef>() : resetBefore;
      const followed = this.#followed.get(entry.objectId);
      const moment = moments.get(entry);
      const record = now.get(entry.recordId);
      const type = followed && this.#typeOf(entry, followed.object, record, moment !== undefined && seen.has(moment));
      const leaning = this.#leaningOn(entry).filter((object) => !isAlone || object === followed?.object);
      const anew = [...leaning, ...(followed && type === 'reset' ? [followed.object] : [])];
      const resets = anew.flatMap((object): Outcome[] => {
        if (reset.has(object)) return [];
        reset.add(object);
        const id = eventId(this.#call.signer, entry.place, object.id);
        return [{ entry, event: this.#reset(id, object, entry.place) }];
      });
      if (!followed || type === undefined || type === 'reset')
        return resets.length > 0 ? this.#together(entry, resets) : [{ entry }];
      const event = this.#event(entry, followed.object, type, record);
      return this.#together(entry, [...resets, { entry, event, isLacking: isLacking(type, record) }]);
    });
  }

  /** Only the last of an entry's events leads past it: a caller that takes fewer gets all of them again. */
  #together(entry: FeedEntry, outcomes: readonly Outcome[]): Outcome[] {
    const position = this.#behind({ ...entry.place, id: String(BigInt(entry.place.id) - 1n) });
    const isLast = (at: number) => at === outcomes.length - 1;
    return outcomes.map((outcome, at) =>
      isLast(at) || !outcome.event ? outcome : { ...outcome, event: { ...outcome.event, position } },
    );
  }

  #idsIn(entries: readonly FeedEntry[]): ReadonlyMap<FollowedObject, readonly string[]> {
    const ids = new Map<FollowedObject, Set<string>>();
    for (const { objectId, recordId } of entries) {
      const followed = this.#followed.get(objectId);
      if (followed) ids.set(followed, (ids.get(followed) ?? new Set()).add(recordId));
    }
    return new Map([...ids].map(([followed, found]) => [followed, [...found]]));
  }

  /** The names of the changed fields that the caller sees. */
  #shown(entry: FeedEntry, object: ObjectDef): readonly string[] {
    const { visibility } = this.#call;
    const changed = new Set(entry.changed);
    const fields = [...object.attributes.values()].filter(({ id }) => changed.has(id));
    return fields.map(({ name }) => name).filter((name) => visibility.shows(object.name, name));
  }

  /** Whether the entry changed a field that decides whether the caller sees the record. */
  #isDeciding(entry: FeedEntry, object: ObjectDef): boolean {
    const { own, isByWrites } = decidingOf(this.#call, object);
    return isByWrites || [...own].some(({ id }) => entry.changed.includes(id));
  }

  /** Whether the event depends on the caller having seen the record before. */
  #dependsOnBefore(entry: FeedEntry, object: ObjectDef, now: RecordNow | undefined): boolean {
    if (!now) return false;
    const isSeen = now.record !== undefined;
    // Where the rule is undecided, the object's own condition may decide.
    const isDecided = !this.#isUndecided(entry, object) || (!isSeen && object.condition !== undefined);
    if (entry.action === 'delete') return !isSeen && isDecided;
    if (entry.action !== 'update' && entry.action !== 'unlink') return false;
    if (isSeen && this.#shown(entry, object).length > 0) return false;
    return this.#isDeciding(entry, object) && isDecided;
  }

  /** Whether history cannot tell directly if the caller saw the record before. */
  #isUndecided(entry: FeedEntry, object: ObjectDef): boolean {
    const { own, isByWrites } = decidingOf(this.#call, object);
    return isByWrites || [...own].some(({ id, linkTable }) => linkTable !== undefined && entry.changed.includes(id));
  }

  /** For an undecided rule: nothing for a record that its object's own condition hid, such as a private note. */
  #typeOfUndecided({ condition }: ObjectDef, wasSeen: boolean): 'reset' | undefined {
    return condition === undefined || wasSeen ? 'reset' : undefined;
  }

  /**
   * The type of the entry's event; `wasSeen` is by the object's own condition where the rule is undecided. It must fit the
   * record's current state, since later changes are reported out of order.
   */
  #typeOf(entry: FeedEntry, object: ObjectDef, now: RecordNow | undefined, wasSeen: boolean): EventType | undefined {
    const { isAll } = decidingOf(this.#call, object);
    const isSeen = now?.record !== undefined;
    switch (entry.action) {
      case 'create':
        return isSeen ? 'record.created' : undefined;
      case 'restore':
        return isSeen ? 'record.restored' : undefined;
      case 'delete':
        if (isSeen) return undefined;
        if (!now) return isAll ? 'record.removed' : 'reset';
        if (this.#isUndecided(entry, object)) return this.#typeOfUndecided(object, wasSeen);
        if (!wasSeen) return undefined;
        return now.isTrashed ? 'record.deleted' : 'record.removed';
      case 'purge':
        return isAll && !now ? 'record.removed' : undefined;
      default:
        return this.#typeOfUpdate(entry, object, now, wasSeen);
    }
  }

  #typeOfUpdate(
    entry: FeedEntry,
    object: ObjectDef,
    now: RecordNow | undefined,
    wasSeen: boolean,
  ): EventType | undefined {
    // The deletion reports a record that is gone.
    if (!now) return undefined;
    const isSeen = now.record !== undefined;
    if (isSeen && this.#shown(entry, object).length > 0) return 'record.updated';
    if (!this.#isDeciding(entry, object)) return undefined;
    if (this.#isUndecided(entry, object)) return isSeen ? 'record.updated' : this.#typeOfUndecided(object, wasSeen);
    if (isSeen) return wasSeen ? undefined : 'record.updated';
    return wasSeen ? 'record.removed' : undefined;
  }

  /** The objects whose records may have become visible or invisible by this change. */
  #leaningOn({ objectId, action, changed }: FeedEntry): readonly ObjectDef[] {
    const leaning = this.#leaning.get(objectId) ?? [];
    if (action !== 'update' && action !== 'unlink') return leaning;
    return leaning.filter((object) => {
      const fields = decidingOf(this.#call, object).beyond.get(objectId);
      return changed.some((id) => fields?.has(id));
    });
  }

  #event(entry: FeedEntry, object: ObjectDef, type: EventType, now: RecordNow | undefined): FollowedEvent {
    const id = eventId(this.#call.signer, entry.place);
    const fields = type === 'record.updated' ? this.#shown(entry, object) : undefined;
    return {
      id,
      type,
      objectName: object.name,
      recordId: entry.recordId,
      ...(fields && { fields }),
      json: eventText(this.#call, object, { id, type, entry, fields, now }),
      position: this.#behind(entry.place),
    };
  }

  #reset(id: string, object: ObjectDef | null, place: Position): FollowedEvent {
    const name = object?.name ?? null;
    const json = JSON.stringify({ id, type: 'reset', object_name: name });
    return { id, type: 'reset', objectName: name, recordId: null, json, position: this.#behind(place) };
  }
}

/** An entry, and its event if any. */
interface Outcome {
  readonly entry: FeedEntry;
  readonly event?: FollowedEvent;
  /** Whether the record is missing because it did not fit. */
  readonly isLacking?: boolean;
}

function isLacking(type: EventType, now: RecordNow | undefined): boolean {
  return now?.record === null && type !== 'record.deleted' && type !== 'record.removed';
}

/**
 * How many outcomes fit after the existing events. The events of one entry stay together, and are sent alone where
 * they exceed an answer.
 */
function roomIn(events: readonly FollowedEvent[], found: readonly Outcome[], limit: number): number {
  let count = events.length;
  let bytes = events.reduce((sum, { json }) => sum + utf8Length(json), 0);
  for (const [at, { event, isLacking: lacks = false }] of found.entries()) {
    if (!event) continue;
    bytes += utf8Length(event.json);
    if (count >= limit || lacks || (count > 0 && bytes > mostBytes)) return edgeOf(found, at, events.length === 0);
    count++;
  }
  return found.length;
}

/** Where the entry of the outcome at `at` begins, or ends if it is the first of an answer. */
function edgeOf(found: readonly Outcome[], at: number, isFirst: boolean): number {
  const entry = found[at]?.entry;
  const begin = found.findIndex((outcome) => outcome.entry === entry);
  const hasEvents = found.slice(0, begin).some(({ event }) => event !== undefined);
  return isFirst && !hasEvents ? found.findLastIndex((outcome) => outcome.entry === entry) + 1 : begin;
}
