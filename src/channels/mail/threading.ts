/**
 * Which conversation a mail belongs to: by the messages that it names, those that name it, and as a last resort by its subject.
 * A parent that comes later joins its children; two threads that turn out to be one become the older. [contract: Accounts]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { instant, sql } from '../../postgres/sql.ts';
import { addressIn } from '../../records/conversations/addresses.ts';
import { dayMs } from '../../lib/durations.ts';

/** A mail, as far as its place matters. */
export interface Placed {
  readonly id: string;
  readonly references: readonly string[];
  readonly subject: string | null;
  readonly date: string;
  readonly participants: readonly string[];
}

/** A thread that is there, or is to be. */
export interface MailThread {
  /** Undefined: it is made with its first message. */
  readonly id: string | undefined;
  readonly externalId: string;
}

export interface Places {
  /** By the mail's id. */
  readonly threads: ReadonlyMap<string, MailThread>;
  /** Threads that are one from now on: the ids of those that go, by the id of the one that stays. */
  readonly joined: ReadonlyMap<string, readonly string[]>;
}

/** Mails of the same people with the same subject are one conversation within this time, where one replies and names nothing. */
const subjectDays = 30;
const replyPrefix = '^((re|aw|antw|antwort|sv|vs|ref|rif|res|tr|fwd|fw|wg|doorst)(\\[\\d+\\])?\\s*:\\s*)+';

/** Finds the thread of each of the owner's mails. Called in the transaction that keeps them, with the owner's accounts locked. */
export async function placesOf(
  call: Call,
  tx: WorkspaceTransaction,
  owner: string,
  mails: readonly Placed[],
): Promise<Places> {
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

function newThread({ id }: Placed): MailThread {
  return { id: undefined, externalId: id };
}

/** Threads by the ids that name them, those that are joined as one. A thread is known by its external id. */
class Groups {
  readonly #threads = new Map<string, MailThread>();
  readonly #threadOf = new Map<string, string>();
  /** Of a thread that has become another. */
  readonly #into = new Map<string, string>();

  /** The thread of all these ids: they are one from now on. Undefined where none is known. */
  of(ids: readonly string[]): MailThread | undefined {
    const found = new Set(ids.flatMap((id) => this.#standing(this.#threadOf.get(id)) ?? []));
    const [oldest, ...others] = [...found].toSorted(byAge);
    if (oldest) for (const other of others) this.#into.set(other.externalId, oldest.externalId);
    return oldest;
  }

  /** The ids that no thread has yet name this one. */
  put(ids: readonly string[], thread: MailThread): void {
    if (!this.#threads.has(thread.externalId)) this.#threads.set(thread.externalId, thread);
    for (const id of ids) if (!this.#threadOf.has(id)) this.#threadOf.set(id, thread.externalId);
  }

  joined(): ReadonlyMap<string, readonly string[]> {
    const stored = [...this.#into.keys()].flatMap((key) => {
      const [gone, into] = [this.#threads.get(key)?.id, this.#standing(key)?.id];
      return gone !== undefined && into !== undefined ? [{ gone, into }] : [];
    });
    const grouped = Map.groupBy(stored, ({ into }) => into);
    return new Map([...grouped].map(([into, all]) => [into, all.map(({ gone }) => gone)]));
  }

  #standing(key: string | undefined): MailThread | undefined {
    let last = key;
    for (let next = last; next !== undefined; next = this.#into.get(next)) last = next;
    return last === undefined ? undefined : this.#threads.get(last);
  }
}

/** Ids are made in the order of time; what is not there yet is the youngest. */
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
  /** Who took part, by message. */
  readonly people: readonly string[];
}

async function threadsWithSubjects(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  owner: string,
  mails: readonly Placed[],
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

function sameConversation(mail: Placed, candidates: readonly Candidate[]): MailThread | undefined {
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

/** The subject that a reply to it has, too. */
function normalized(subject: string | null): string {
  return (subject ?? '').toLowerCase().replace(new RegExp(replyPrefix), '').trim();
}

function peopleOf({ participants }: Pick<Placed, 'participants'>): string {
  return [...new Set(participants.flatMap((text) => addressIn(text) ?? []))].toSorted().join(' ');
}
