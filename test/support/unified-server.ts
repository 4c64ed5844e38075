/** A provider that has LinkedIn among others, for tests: with the lists and answers of Unipile's interface. */
import { startJsonServer, type Answered, type Asked } from './json-server.ts';

interface Message {
  readonly id: string;
  readonly text: string | null;
  readonly timestamp: string;
  readonly is_sender?: number;
  readonly [key: string]: unknown;
}

export interface UnifiedServer {
  /** A document for `kith account add`. */
  readonly account: Record<string, string>;
  /** Adds to a chat, which begins with it. */
  add(chat: string, ...messages: readonly Message[]): void;
  /** Answers that were taken: the chat and the text. */
  readonly sent: readonly { readonly chat: string; readonly text: string }[];
  /** The next answer is taken, and nobody hears of it. */
  breakOnce(): void;
  /** What all is refused with; null for nothing. */
  refuse(problem: { readonly status: number; readonly type: string; readonly title: string } | null): void;
  /** How many lists of messages were asked for. */
  readonly lists: () => number;
  stop(): Promise<void>;
}

/** Of all lists, whatever is asked for. */
const mostOfPage = 2;

const attendees = [
  {
    id: 'att-self',
    provider_id: 'ACoSelf',
    name: 'Ada Admin',
    is_self: 1,
    profile_url: 'https://www.linkedin.com/in/ada',
  },
  {
    id: 'att-bob',
    provider_id: 'ACoBob',
    name: 'Bob Builder',
    is_self: 0,
    profile_url: 'https://www.linkedin.com/in/bob',
  },
];

export async function startUnifiedServer(): Promise<UnifiedServer> {
  const chats = new Map<string, Message[]>();
  const sent: { chat: string; text: string }[] = [];
  let problem: { readonly status: number; readonly type: string; readonly title: string } | null = null;
  let breaks = false;
  let lists = 0;

  const latestFirst = (messages: readonly Message[]) =>
    messages.toSorted((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp));

  function chatList(): object[] {
    const all = [...chats].map(([id, messages]) => ({
      object: 'Chat',
      id,
      account_id: 'acc-1',
      type: 0,
      name: 'Bob Builder',
      timestamp: latestFirst(messages)[0]!.timestamp,
    }));
    return all.toSorted((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp));
  }

  async function answer({ method, url, headers, body }: Asked): Promise<Answered | undefined> {
    if (headers['x-api-key'] !== 'key') return refused(401, 'errors/missing_credentials', 'Missing credentials');
    if (problem) return refused(problem.status, problem.type, problem.title);
    const [kind, id, part] = url.pathname.replace('/api/v1/', '').split('/').map(decodeURIComponent);
    if (kind === 'accounts')
      return { body: { object: 'Account', id, type: 'LINKEDIN', sources: [{ id: 's', status: 'OK' }] } };
    if (kind !== 'chats') return refused(404, 'errors/resource_not_found', 'Not found');
    if (id === undefined) return { body: page(chatList(), url) };
    const messages = chats.get(id);
    if (!messages) return refused(404, 'errors/resource_not_found', 'Not found');
    if (part === 'attendees') return { body: { object: 'ChatAttendeeList', items: attendees } };
    if (method === 'GET') {
      lists++;
      const after = Date.parse(url.searchParams.get('after') ?? '1970-01-01');
      return { body: page(latestFirst(messages.filter((one) => Date.parse(one.timestamp) > after)), url) };
    }
    const form = await new Response(Uint8Array.from(body), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData();
    const text = String(form.get('text'));
    sent.push({ chat: id, text });
    if (breaks) return void (breaks = false);
    return { status: 201, body: { object: 'MessageSent', message_id: `out-${sent.length}` } };
  }

  const server = await startJsonServer(answer);
  return {
    account: {
      provider: 'linkedin',
      account_email: 'ada',
      base_url: server.url,
      account_id: 'acc-1',
      api_key: 'key',
      webhook_secret: 'hook-secret',
    },
    add: (chat, ...messages) => void chats.set(chat, [...(chats.get(chat) ?? []), ...messages]),
    sent,
    breakOnce: () => void (breaks = true),
    refuse: (given) => void (problem = given),
    lists: () => lists,
    stop: server.stop,
  };
}

function page(items: readonly object[], { searchParams }: URL): object {
  const from = Number(searchParams.get('cursor') ?? 0);
  const end = from + mostOfPage;
  return { items: items.slice(from, end), cursor: end < items.length ? String(end) : null };
}

const refused = (status: number, type: string, title: string): Answered => ({ status, body: { status, type, title } });

/** What the hook is told of a message of Bob's. */
export const toldMessage = (more: object = {}) => ({
  account_id: 'acc-1',
  account_type: 'LINKEDIN',
  account_info: { type: 'LINKEDIN', feature: 'classic', user_id: 'ACoSelf' },
  event: 'message_received',
  webhook_name: 'kith',
  chat_id: 'chat-1',
  message_id: 'm-hook',
  message: 'By hook',
  timestamp: '2026-10-03T09:00:00.000Z',
  sender: {
    attendee_id: 'att-bob',
    attendee_name: 'Bob Builder',
    attendee_provider_id: 'ACoBob',
    attendee_profile_url: 'https://www.linkedin.com/in/bob',
  },
  ...more,
});
