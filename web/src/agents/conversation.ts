/** A conversation with the assistant: messages, tool calls, and actions that wait for confirmation. */
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
  readonly confirmations: readonly Confirmation[];
  readonly isTalking: boolean;
  readonly hasNoModel: boolean;
  /** Resolves to false if nothing was answered; the text then stays in the input. */
  say(text: string): Promise<boolean>;
  /** Confirms: sends the same messages again with the tokens of the actions shown. */
  agree(): Promise<void>;
  stop(): void;
  clear(): void;
}

/** A conversation that lasts as long as its panel is mounted. */
export function useConversation(madeFor: string): Conversation {
  const [said, setSaid] = useState<readonly Said[]>([]);
  const [confirmations, setConfirmations] = useState<readonly Confirmation[]>([]);
  const [isTalking, setTalking] = useState(false);
  const [hasNoModel, setNoModel] = useState(false);
  const messages = useRef<readonly Message[]>([]);
  const isAnswered = useRef(false);
  const ending = useRef<AbortController>(undefined);
  const take = (event: AgentEvent) => {
    isAnswered.current = true;
    if (event.event === 'message') messages.current = [...messages.current, event.data];
    if (event.event === 'confirmation') setConfirmations((was) => [...was, event.data]);
    setSaid((was) => after(was, event));
  };
  const ask = async (confirm: readonly string[]) => {
    const abort = new AbortController();
    ending.current = abort;
    setTalking(true);
    isAnswered.current = false;
    setConfirmations([]);
    try {
      const body = { messages: messages.current, ...(confirm.length > 0 && { confirm }) };
      for await (const event of askAssistant(body, madeFor, abort.signal)) take(event);
    } catch (error) {
      if (error instanceof NoModel) setNoModel(true);
      else if (!abort.signal.aborted) setSaid((was) => [...was, { kind: 'bad', text: messageOf(error) }]);
      else setSaid((was) => [...was, { kind: 'ending', reason: 'stopped' }]);
    } finally {
      setTalking(false);
      // The assistant may have changed anything that is shown.
      await queries.invalidateQueries();
    }
  };
  return {
    said,
    confirmations,
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
    agree: () => ask(confirmations.map(({ token }) => token)),
    stop: () => ending.current?.abort(),
    clear() {
      messages.current = [];
      setSaid([]);
      setConfirmations([]);
    },
  };
}

function after(was: readonly Said[], event: AgentEvent): readonly Said[] {
  switch (event.event) {
    case 'text': {
      const last = was.at(-1);
      if (last?.kind === 'text') return [...was.slice(0, -1), { kind: 'text', text: last.text + event.data.text }];
      return [...was, { kind: 'text', text: event.data.text }];
    }
    case 'tool':
      return [...was, { kind: 'tool', ...event.data }];
    case 'result':
      return was.map((one) => (one.kind === 'tool' && one.id === event.data.id ? { ...one, ok: event.data.ok } : one));
    case 'done':
      return ['length', 'rounds'].includes(event.data.reason)
        ? [...was, { kind: 'ending', reason: event.data.reason }]
        : was;
    case 'end':
      return [...was, { kind: 'bad', text: event.data.message }];
    default:
      return was;
  }
}
