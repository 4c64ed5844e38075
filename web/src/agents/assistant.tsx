/** The assistant's panel: streams its answers; anything that sends or deletes waits for the person's button. */
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { Plus, X } from 'lucide-react';
import { useKeys } from '../app/keys.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import form from '../ui/form.module.css';
import { useConversation, type Conversation, type Said } from './conversation.ts';
import type { Confirmation } from './stream.ts';
import styles from './agents.module.css';

/** The panel. Esc closes it. */
export function Assistant({ close }: { close: () => void }) {
  const { agents } = useTexts();
  const { userId } = useWorkspace();
  const talk = useConversation(userId);
  const end = useRef<HTMLDivElement>(null);
  useKeys([{ keys: 'Escape', label: agents.close, whileTyping: true, run: talk.isTalking ? talk.stop : close }]);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' });
  }, [talk.said, talk.confirmations]);
  useEffect(() => talk.stop, []);
  return (
    <aside className={styles.panel} aria-label={agents.assistant}>
      <header className={styles.panelHead}>
        <h2>{agents.assistant}</h2>
        <Button kind="bare" aria-label={agents.newTalk} icon={<Plus size={14} />} onClick={talk.clear} />
        <Button kind="bare" aria-label={agents.close} icon={<X size={14} />} onClick={close} />
      </header>
      <div className={styles.talk} role="log" aria-label={agents.assistant} tabIndex={0}>
        {talk.said.length === 0 && <p className="dim">{agents.empty}</p>}
        {talk.said.map((said, at) => (
          <Line key={at} said={said} />
        ))}
        {talk.hasNoModel && <NoModel />}
        {talk.confirmations.map((one) => (
          <PendingAction key={one.id} confirmation={one} />
        ))}
        {talk.confirmations.length > 0 && !talk.isTalking && <Answers talk={talk} />}
        <div ref={end} />
      </div>
      <Say talk={talk} />
    </aside>
  );
}

function Line({ said }: { said: Said }) {
  const { agents } = useTexts();
  if ('text' in said) {
    const look = { mine: styles.mine, text: styles.said, bad: styles.bad }[said.kind];
    return (
      <p className={look} role={said.kind === 'bad' ? 'alert' : undefined}>
        {said.text}
      </p>
    );
  }
  if (said.kind === 'ending') return <p className="dim">{agents.endings[said.reason] ?? agents.stopped}</p>;
  const name = said.name.replace(/^crm_/, '').replaceAll('_', ' ');
  return (
    <p className={said.ok === false ? styles.since : 'dim'}>
      {said.ok === undefined ? agents.calls(name) : said.ok ? agents.called(name) : agents.callFailed(name)}
    </p>
  );
}

function NoModel() {
  const { agents } = useTexts();
  return (
    <div className={styles.asking} role="alert">
      <b>{agents.notConfigured}</b>
      <p>{agents.configure}</p>
    </div>
  );
}

/** A pending action, exactly as the service describes it. */
function PendingAction({
  confirmation: { title, tool, preview, arguments: given, expires_at: until },
}: {
  confirmation: Confirmation;
}) {
  const { agents } = useTexts();
  const formats = useFormats();
  const shown = preview ?? given;
  return (
    <section className={styles.asking} aria-label={title}>
      <b>{title === '' ? tool : title}</b>
      <pre tabIndex={0}>{typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2)}</pre>
      <p className="hint">{agents.expires(formats.time(until))}</p>
    </section>
  );
}

function Answers({ talk }: { talk: Conversation }) {
  const { agents } = useTexts();
  return (
    <p>
      <b className="hint">{agents.confirmTitle} </b>
      <Button kind="main" onClick={() => void talk.agree()}>
        {agents.confirm}
      </Button>{' '}
      <Button onClick={() => void talk.say(agents.declined)}>{agents.decline}</Button>
    </p>
  );
}

function Say({ talk }: { talk: Conversation }) {
  const { agents } = useTexts();
  const [text, setText] = useState('');
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    if (text.trim() === '' || talk.isTalking) return;
    setText('');
    void talk.say(text.trim()).then((isAnswered) => {
      if (!isAnswered) setText((now) => (now === '' ? text : now));
    });
  };
  return (
    <form className={styles.say} onSubmit={send}>
      <textarea
        className={form.area}
        aria-label={agents.ask}
        placeholder={agents.ask}
        rows={2}
        autoFocus
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event);
        }}
      />
      {talk.isTalking ? (
        <Button onClick={talk.stop}>{agents.stop}</Button>
      ) : (
        <Button type="submit" kind="main">
          {agents.send}
        </Button>
      )}
    </form>
  );
}
