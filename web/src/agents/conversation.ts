/** A conversation with the assistant: what was said, what it did, and what waits for the person's yes. */
import { useRef, useState } from 'react';
import { messageOf } from '../api/kith.ts';
import { queries } from '../api/queries.ts';
import { askAssistant, NoModel, type AgentEvent, type Confirmation, type Message } from './stream.ts';

export type Said =
  | { readonly kind: 'mine' | 'text' | 'bad'; readonly text: string }
  | { readonly kind: 'tool'; readonly id: string; readonly name: string; readonly ok?: boolean }
  | { readonly kind: 'ending'; readonly reason: string };

export interface Conversation {
  readonly said: readonly Said[];
  readonly asked: readonly Confirmation[];
  readonly isTalking: boolean;
  readonly hasNoModel: boolean;
  /** Whether anything was answered; where not, it counts as not said. */
  say(text: string): Promise<boolean>;
  /** The person's yes: the same messages again, with the tokens of what was shown. */
  agree(): Promise<void>;
  stop(): void;
  clear(): void;
}

/** One that lasts as long as its panel is there. */
export function useConversation(madeFor: string): Conversation {
  const [said, setSaid] = useState<readonly Said[]>([]);
  const [asked, setAsked] = useState<readonly Confirmation[]>([]);
  const [isTalking, setTalking] = useState(false);
  const [hasNoModel, setNoModel] = useState(false);
  const messages = useRef<readonly Message[]>([]);
  const isAnswered = useRef(false);
  const ending = useRef<AbortController>(undefined);
  const take = (told: AgentEvent) => {
    isAnswered.current = true;
    if (told.event === 'message') messages.current = [...messages.current, told.data];
    if (told.event === 'confirmation') setAsked((was) => [...was, told.data]);
    setSaid((was) => after(was, told));
  };
  const ask = async (confirm: readonly string[]) => {
    const abort = new AbortController();
    ending.current = abort;
    setTalking(true);
    isAnswered.current = false;
    setAsked([]);
    try {
      const body = { messages: messages.current, ...(confirm.length > 0 && { confirm }) };
      for await (const event of askAssistant(body, madeFor, abort.signal)) take(event);
    } catch (error) {
      if (error instanceof NoModel) setNoModel(true);
      else if (!abort.signal.aborted) setSaid((was) => [...was, { kind: 'bad', text: messageOf(error) }]);
      else setSaid((was) => [...was, { kind: 'ending', reason: 'stopped' }]);
    } finally {
      setTalking(false);
      // What it did shows wherever it stands.
      await queries.invalidateQueries();
    }
  };
  return {
    said,
    asked,
    isTalking,
    hasNoModel,
    async say(text) {
      messages.current = [...messages.current, { role: 'user', content: text }];
      setSaid((was) => [...was, { kind: 'mine', text }]);
      const before = messages.current.slice(0, -1);
      await ask([]);
      if (isAnswered.current) return true;
      messages.current = before;
      return false;
    },
    agree: () => ask(asked.map(({ token }) => token)),
    stop: () => ending.current?.abort(),
    clear() {
      messages.current = [];
      setSaid([]);
      setAsked([]);
    },
  };
}

function after(was: readonly Said[], told: AgentEvent): readonly Said[] {
  switch (told.event) {
    case 'text': {
      const last = was.at(-1);
      if (last?.kind === 'text') return [...was.slice(0, -1), { kind: 'text', text: last.text + told.data.text }];
      return [...was, { kind: 'text', text: told.data.text }];
    }
    case 'tool':
      return [...was, { kind: 'tool', ...told.data }];
    case 'result':
      return was.map((one) => (one.kind === 'tool' && one.id === told.data.id ? { ...one, ok: told.data.ok } : one));
    case 'done':
      return ['length', 'rounds'].includes(told.data.reason)
        ? [...was, { kind: 'ending', reason: told.data.reason }]
        : was;
    case 'end':
      return [...was, { kind: 'bad', text: told.data.message }];
    default:
      return was;
  }
}
