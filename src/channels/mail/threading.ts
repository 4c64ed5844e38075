/**
 * Finds the thread of a mail: by the messages that it refers to, by those that refer to it, and as a last resort by its subject.
 * A parent that arrives later joins its replies' thread; threads that turn out to be one are joined into the oldest.
 * [contract: Accounts]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { instant, sql } from '../../postgres/sql.ts';
import { addressIn } from '../../records/conversations/addresses.ts';
import { dayMs } from '../../lib/durations.ts';

/** The parts of a mail that decide on its thread. */
export interface ThreadedMail {
  readonly id: string;
  readonly references: readonly string[];
  readonly subject: string | null;
  readonly date: string;
  readonly participants: readonly string[];
}

/** An existing or new thread. */
export interface MailThread {
  /** Undefined for a thread that is created with its first message. */
  readonly id: string | undefined;
  readonly externalId: string;
}

/** The threads of mails. */
export interface Threads {
  /** The thread of each mail, by the mail's id. */
  readonly threads: ReadonlyMap<string, MailThread>;
  /** Stored threads to be joined: the ids of those to delete, by the id of the one that stays. */
  readonly joined: ReadonlyMap<string, readonly string[]>;
}

/** A reply without references joins a thread with the same subject and participants within this time. */
const subjectDays = 30;
const replyPrefix = '^((re|aw|antw|antwort|sv|vs|ref|rif|res|tr|fwd|fw|wg|doorst)(\\[\\d+\\])?\\s*:\\s*)+';

/** Finds the thread of each of the owner's mails. Called in the transaction that stores them, with the owner's accounts locked. */
export async function threadMails(
  call: Call,
  tx: WorkspaceTransaction,
  owner: string,
  mails: readonly ThreadedMail[],
): Promise<Threads> {
  const named = [...new Set(mails.flatMap(({ id, references }) => [id, ...references]))];
  const groups = new Groups();
  for (const { id, thread } of await threadsNaming(call, tx, owner, named)) groups.put([id], thread);
  const bySubject = mails.filter((mail) => mail.references.length === 0 && isReply(mail.subject));
  const candidates = await threadsWithSubjects(call, tx, owner, bySubject);
  for (const mail of mails) {
    const own = groups.of([mail.id, ...mail.references]);
    const thread =
      own ?? (bySubject.includes(mail) ? sameConversation(mail, candidates) : undefined) ?? newThread(mail);
    groups.put([mail.id, ...mail.references], thread);
    candidates.push({ ...thread, norm: normalized(mail.subject), latest: mail.date, people: [peopleOf(mail)] });
  }
  const threads = new Map(mails.map(({ id }) => [id, groups.of([id])!]));
  return { threads, joined: groups.joined() };
}

function newThread({ id }: ThreadedMail): MailThread {
  return { id: undefined, externalId: id };
}

/** Threads by the Message-IDs that belong to them; joined threads count as one. Threads are identified by external id. */
class Groups {
  readonly #threads = new Map<string, MailThread>();
  readonly #threadOf = new Map<string, string>();
  /** The thread that each joined thread has become part of. */
  readonly #into = new Map<string, string>();

  /** The thread of these ids, after joining all threads that they belong to; undefined if none is known. */
  of(ids: readonly string[]): MailThread | undefined {
    const found = new Set(ids.flatMap((id) => this.#current(this.#threadOf.get(id)) ?? []));
    const [oldest, ...others] = [...found].toSorted(byAge);
    if (oldest) for (const other of others) this.#into.set(other.externalId, oldest.externalId);
    return oldest;
  }

  /** Assigns to the thread those ids that belong to none yet. */
  put(ids: readonly string[], thread: MailThread): void {
    if (!this.#threads.has(thread.externalId)) this.#threads.set(thread.externalId, thread);
    for (const id of ids) if (!this.#threadOf.has(id)) this.#threadOf.set(id, thread.externalId);
  }

  /** The stored threads to delete, by the id of the thread that they are joined into. */
  joined(): ReadonlyMap<string, readonly string[]> {
    const stored = [...this.#into.keys()].flatMap((key) => {
      const [gone, into] = [this.#threads.get(key)?.id, this.#current(key)?.id];
      return gone !== undefined && into !== undefined ? [{ gone, into }] : [];
    });
    const grouped = Map.groupBy(stored, ({ into }) => into);
    return new Map([...grouped].map(([into, all]) => [into, all.map(({ gone }) => gone)]));
  }

  /** The thread, or the one that it was joined into. */
  #current(key: string | undefined): MailThread | undefined {
    let last = key;
    for (let next = last; next !== undefined; next = this.#into.get(next)) last = next;
    return last === undefined ? undefined : this.#threads.get(last);
  }
}

/** Orders threads by age: ids are ordered by creation time, and a thread without an id is the youngest. */
function byAge(a: MailThread, b: MailThread): number {
  if (a.id === undefined || b.id === undefined) return a.id === undefined ? (b.id === undefined ? 0 : 1) : -1;
  return a.id < b.id ? -1 : 1;
}

async function threadsNaming(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  owner: string,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly thread: MailThread }[]> {
  const { rows } = await tx.run(sql`select n.message_id, t.id, t.external_thread_id from (
      select i.external_id message_id, i.interaction_thread_id thread_id from ${workspace.table('_interactions')} i
        where i.owner_id = ${owner}::uuid and i.channel = 'email' and i.external_id = any(${ids}::text[])
      union select r.message_id, r.thread_id from ${workspace.table('_thread_references')} r
        where r.owner_id = ${owner}::uuid and r.message_id = any(${ids}::text[])) n
    join ${workspace.table('_threads')} t on t.id = n.thread_id where t.deleted_at is null order by t.id, n.message_id`);
  return rows.map(([id, threadId, externalId]) => ({
    id: id ?? '',
    thread: { id: threadId ?? '', externalId: externalId ?? '' },
  }));
}

interface Candidate extends MailThread {
  readonly norm: string;
  readonly latest: string;
  /** The participants of each message, as one comparable text. */
  readonly people: readonly string[];
}

async function threadsWithSubjects(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  owner: string,
  mails: readonly ThreadedMail[],
): Promise<Candidate[]> {
  if (mails.length === 0) return [];
  const norms = mails.map(({ subject }) => normalized(subject));
  const times = mails.map(({ date }) => Date.parse(date));
  const [from, until] = [Math.min(...times) - subjectDays * dayMs, Math.max(...times) + subjectDays * dayMs];
  const norm = sql`btrim(regexp_replace(lower(t.subject), ${replyPrefix}, ''))`;
  const { rows } = await tx.run(sql`select t.id, t.external_thread_id, ${norm}, t.last_message_date,
      (select json_agg(i.participants) from (select i.participants from ${workspace.table('_interactions')} i
        where i.interaction_thread_id = t.id and i.deleted_at is null order by i.date desc limit 20) i)
    from ${workspace.table('_threads')} t
    where t.owner_id = ${owner}::uuid and t.channel = 'email' and t.deleted_at is null and ${norm} = any(${norms}::text[])
      and t.last_message_date between ${instant(from)} and ${instant(until)} order by t.id limit 1000`);
  return rows.map(([id, externalId, found, latest, participants]) => ({
    id: id ?? '',
    externalId: externalId ?? '',
    norm: found ?? '',
    latest: latest ?? '',
    people: (JSON.parse(participants ?? '[]') as string[][]).map((all) => peopleOf({ participants: all })),
  }));
}

function sameConversation(mail: ThreadedMail, candidates: readonly Candidate[]): MailThread | undefined {
  const norm = normalized(mail.subject);
  const people = peopleOf(mail);
  return candidates.findLast(
    (one) =>
      one.norm === norm &&
      one.people.includes(people) &&
      Math.abs(Date.parse(one.latest) - Date.parse(mail.date)) <= subjectDays * dayMs,
  );
}

function isReply(subject: string | null): boolean {
  return new RegExp(replyPrefix, 'i').test(subject ?? '');
}

/** The subject without reply prefixes, in lower case. */
function normalized(subject: string | null): string {
  return (subject ?? '').toLowerCase().replace(new RegExp(replyPrefix), '').trim();
}

function peopleOf({ participants }: Pick<ThreadedMail, 'participants'>): string {
  return [...new Set(participants.flatMap((text) => addressIn(text) ?? []))].toSorted().join(' ');
}
