import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { kith } from '../api/kith.ts';
import { keyText } from '../app/keys.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import styles from './inbox.module.css';
import { MailHtml } from './mail-html.tsx';
import { peopleOf, type Previewed, type Reply } from './use-reply.ts';

/** The message exactly as it will be sent, as long as the preview is valid. */
export function ReplyPreview({ previewed, reply }: { previewed: Previewed; reply: Reply }) {
  const { inbox } = useTexts();
  const { message } = previewed;
  const send = useRef<HTMLDivElement>(null);
  // In the layout phase, so that a key pressed at once reaches the button.
  useLayoutEffect(() => send.current?.querySelector('button')?.focus(), []);
  const facts = [
    [inbox.from, message.from],
    [inbox.toField, message.to.join(', ')],
    [inbox.cc, message.cc.join(', ')],
    [inbox.subject, message.subject ?? ''],
  ].filter(([, value]) => value !== '');
  return (
    <section className={styles.preview} aria-label={inbox.preview}>
      <header>
        <strong>{inbox.preview}</strong>
        <span className="dim">{inbox.previewHint}</span>
        <Left until={previewed.until} end={() => reply.edit(inbox.over)} />
      </header>
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <div className={styles.previewText}>
        {message.channel === 'email' ? <MailHtml html={message.body} /> : <p className={styles.text}>{message.body}</p>}
      </div>
      <div ref={send} className={styles.actions}>
        <Button
          kind="main"
          icon={<Send size={14} />}
          hint={keyText('mod+Enter')}
          isWorking={reply.isWorking}
          onClick={() => void reply.send()}
        >
          {inbox.sendTo(peopleOf(message))}
        </Button>
        <Button hint={keyText('Escape')} onClick={() => reply.edit()}>
          {inbox.edit}
        </Button>
        <SendsLeft />
      </div>
    </section>
  );
}

/** The time left, counted down in seconds. */
function Left({ until, end }: { until: number; end: () => void }) {
  const { inbox } = useTexts();
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((until - now) / 1_000));
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (left === 0) end();
  });
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <time className={styles.left} dateTime={`PT${left}S`}>
      {inbox.valid(text)}
    </time>
  );
}

function SendsLeft() {
  const { inbox } = useTexts();
  const { data } = useQuery({
    queryKey: ['limits'],
    queryFn: ({ signal }) => kith.limits.list({ signal }),
    staleTime: 0,
  });
  const found = data?.limits.find(({ policy }) => policy === 'api:messaging-send');
  if (!found || found.remaining === null) return undefined;
  return <span className="hint">{inbox.sendsLeft(found.remaining, found.limit)}</span>;
}
