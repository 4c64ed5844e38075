import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { isSame, partyOf, type Party } from './addresses.ts';
import { useNameAmong } from './contact-of.ts';
import type { Message } from './inbox-data.ts';
import styles from './inbox.module.css';
import { MailHtml } from './mail-html.tsx';
import { splitQuoted } from './quoted.ts';

/** The service's placeholder for what only the owner of a thread may read. */
const masked = '[Hidden by the owner of this conversation]';

interface MessageViewProps {
  readonly message: Message;
  readonly own: readonly string[];
  readonly ownerId: string | null;
}

/** One message: sender, recipients, time and text. */
export function MessageView({ message, own, ownerId }: MessageViewProps) {
  const { inbox } = useTexts();
  const formats = useFormats();
  const { contacts = [] } = message;
  const [from, ...to] = message.participants.map(partyOf);
  const fromName = useNameAmong(contacts, from);
  const isOwn = ({ address }: Party) => own.some((one) => isSame(one, address));
  const other = to.find((one) => !isOwn(one));
  const otherName = useNameAmong(contacts, other);
  const nameOf = (one: Party) => (isOwn(one) ? inbox.me : (one === other && otherName) || one.name);
  const delivery = message.delivery === null ? undefined : inbox.delivery[message.delivery];
  return (
    <article className={styles.message} aria-label={fromName}>
      <header className={styles.messageHead}>
        {from && <Avatar name={fromName ?? from.name} />}
        <span className="clip">
          <bdi className={styles.who} title={from?.address}>
            {fromName}
          </bdi>{' '}
          {to.length > 0 && <span className="dim">{inbox.to(formats.list(to.map(nameOf)))}</span>}
        </span>
        <time dateTime={message.date} className="dim">
          {formats.moment(message.date)}
        </time>
      </header>
      <Said message={message} ownerId={ownerId} />
      {delivery !== undefined && <p className={message.delivery === 'unknown' ? styles.warning : 'hint'}>{delivery}</p>}
    </article>
  );
}

function Said({ message, ownerId }: { message: Message; ownerId: string | null }) {
  const { inbox } = useTexts();
  const { users } = useWorkspace();
  const text = message.content_text ?? message.content ?? '';
  if (text === masked) {
    const owner = ownerId === null ? undefined : users.get(ownerId)?.name;
    return <p className="dim">{inbox.onlyFor(owner ?? inbox.theOwner)}</p>;
  }
  if (message.content_html !== null && message.content_html !== '')
    return (
      <>
        <div className={styles.mail}>
          <MailHtml html={message.content_html} />
        </div>
        <p className="hint">{inbox.imagesOff}</p>
      </>
    );
  const { own, quoted } = splitQuoted(text);
  return (
    <>
      <p className={styles.text} dir="auto">
        {own === '' ? <span className="faint">{inbox.noText}</span> : own}
      </p>
      {quoted !== '' && (
        <details className={styles.quoted}>
          <summary>{inbox.quoted}</summary>
          <p className={styles.text} dir="auto">
            {quoted}
          </p>
        </details>
      )}
    </>
  );
}
