/** The conversations and meetings of the demo, as lines of an ingest file. */
import { dayMs, hourMs } from '../lib/durations.ts';
import type { JsonObject } from '../lib/json.ts';
import { between, happens, oneOf, shuffle } from './demo-chance.ts';
import type { Subject } from './demo-follow-ups.ts';
import { answers, greetings, mailSubjects, meetingTitles, sentences, shortMessages } from './demo-phrases.ts';
import { after, comingWorkday, daysAgo, quarterHour, workTime } from './demo-times.ts';

/** A line and its time in milliseconds: when a message was sent, or a meeting was agreed on. */
export interface PlannedLine {
  readonly at: number;
  readonly value: JsonObject;
}

const threadCount = 420;
const chatCount = 60;
const pastMeetings = 240;
const comingMeetings = 36;

/** Makes the lines in the order of time, accounts first. `mails` are the users' addresses by id. */
export function makeConversations(
  subjects: readonly Subject[],
  mails: ReadonlyMap<string, string>,
  today: Date,
): readonly PlannedLine[] {
  shuffle(12);
  const reachable = subjects.flatMap((subject) => {
    const user = subject.owner === null ? undefined : mails.get(subject.owner);
    return user === undefined || subject.email === null ? [] : [{ ...subject, user, email: subject.email }];
  });
  const chatty = reachable.flatMap((partner) => (partner.phone === null ? [] : [{ ...partner, phone: partner.phone }]));
  const current = reachable.filter(({ isOpen }) => isOpen);
  const first = Math.min(...reachable.map(({ from }) => from));
  const accounts = [...mails.values()].map((user) => ({ at: first, value: accountOf(user) }));
  const lines = [
    ...Array.from({ length: threadCount }, (_, number) => mailThread(oneOf(reachable), number, today)).flat(),
    ...Array.from({ length: chatCount }, (_, number) => chat(oneOf(chatty), number, today)).flat(),
    ...Array.from({ length: pastMeetings }, (_, number) => {
      const partner = oneOf(reachable);
      return meeting(partner, number, timeWithin(partner, today));
    }),
    ...Array.from({ length: comingMeetings }, (_, number) => {
      const start = today.getTime() + comingWorkday(today, between(0, 30)) * dayMs + between(8, 16) * hourMs;
      return meeting(oneOf(current), pastMeetings + number, start, after(0, workTime(today, between(1, 9))));
    }),
  ];
  return [...accounts, ...lines.toSorted((a, b) => a.at - b.at)];
}

interface Partner extends Subject {
  readonly user: string;
  readonly email: string;
}

function accountOf(user: string): JsonObject {
  const channels = ['email', 'meeting', 'whatsapp'];
  return { kind: 'integration', user, provider: 'google', channels, account_email: user, status: 'active' };
}

/** Messages that answer each other, up to today. */
function mailThread(partner: Partner, number: number, today: Date): PlannedLine[] {
  const { user, email, names } = partner;
  const subject = filled(oneOf(mailSubjects), partner);
  const beginsHere = happens(0.65);
  const [visibility] = happens(0.08) ? ['none'] : happens(0.1) ? ['metadata_subject'] : [];
  const given = names.person.split(' ')[0] ?? '';
  return timesOf(timeWithin(partner, today), between(2, 7), 40, today).map((at, turn) => {
    const isOurs = beginsHere === (turn % 2 === 0);
    const [from, to] = isOurs ? [user, email] : [email, user];
    const text = [`${oneOf(greetings)} ${isOurs ? given : nameOf(user)},`, oneOf(turn === 0 ? sentences : answers)];
    if (happens(0.6)) text.push(oneOf(sentences));
    return {
      at,
      value: {
        kind: 'interaction',
        user,
        channel: 'email',
        external_thread_id: `mail-${number}`,
        external_id: `mail-${number}-${turn}@acme.example`,
        subject: turn === 0 ? subject : `Re: ${subject}`,
        direction: isOurs ? 'outbound' : 'inbound',
        date: new Date(at).toISOString(),
        from,
        to: [to],
        content_text: `${text.join('\n\n')}\n\n${isOurs ? nameOf(user) : given}`,
        ...(visibility !== undefined && { content_visibility: visibility }),
      },
    };
  });
}

function chat(partner: Partner & { readonly phone: string }, number: number, today: Date): PlannedLine[] {
  const { user, phone } = partner;
  return timesOf(timeWithin(partner, today), between(3, 9), 6, today).map((at, turn) => {
    const isOurs = happens(0.5);
    return {
      at,
      value: {
        kind: 'interaction',
        user,
        channel: 'whatsapp',
        external_thread_id: `chat-${number}`,
        external_id: `chat-${number}-${turn}`,
        direction: isOurs ? 'outbound' : 'inbound',
        date: new Date(at).toISOString(),
        from: isOurs ? user : phone,
        to: [isOurs ? phone : user],
        content_text: oneOf(shortMessages),
      },
    };
  });
}

function meeting(partner: Partner, number: number, begun: number, at = begun): PlannedLine {
  const { user, email, names } = partner;
  const start = quarterHour(begun);
  const isOnline = happens(0.7);
  return {
    at,
    value: {
      kind: 'event',
      user,
      external_id: `meeting-${number}`,
      title: filled(oneOf(meetingTitles), partner),
      start_time: new Date(start).toISOString(),
      end_time: new Date(start + oneOf([30, 45, 60]) * 60_000).toISOString(),
      status: happens(0.06) ? 'cancelled' : 'confirmed',
      organizer: user,
      location: isOnline ? null : names.company,
      meeting_url: isOnline ? `https://meet.example/acme-${number}` : null,
      attendees: [
        { email: user, name: nameOf(user), response: 'accepted' },
        { email, name: names.person, response: oneOf(['accepted', 'accepted', 'tentative']) },
      ],
    },
  };
}

/** Times from `start`, some hours apart each; future ones are dropped. */
function timesOf(start: number, count: number, mostHours: number, today: Date): number[] {
  const times = [start];
  while (times.length < count) times.push((times.at(-1) ?? 0) + between(12, mostHours * 60) * 60_000);
  return times.filter((at) => at < today.getTime());
}

function timeWithin({ from, until }: Subject, today: Date): number {
  const [latest, earliest] = [daysAgo(today, until), daysAgo(today, from)];
  return after(from, workTime(today, between(latest, Math.max(latest, earliest))));
}

function filled(template: string, { names }: Subject): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name as keyof typeof names]);
}

/** The name in an address: `diego@acme.example` → `Diego`. */
function nameOf(address: string): string {
  return address.charAt(0).toUpperCase() + address.slice(1, address.indexOf('@'));
}
