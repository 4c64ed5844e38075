import type { Ref, SyntheticEvent } from 'react';
import { useSettingTexts } from '../../i18n/setting-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import formStyles from '../../ui/form.module.css';
import { SettingPart } from '../setting.tsx';
import settings from '../settings.module.css';
import styles from './accounts.module.css';
import { HookNotice } from './hook-notice.tsx';
import { hasPart, MailboxFields, mailboxOf } from './mailbox-fields.tsx';
import { MessengerFields, messengerOf } from './messenger-fields.tsx';
import { kinds, type ConnectForm as Form } from './use-connect.ts';

/** The form for an account of a kind; the service tries to connect before it stores anything. */
export function ConnectForm({ form, first }: { form: Form; first: Ref<HTMLInputElement> }) {
  const { accounts: texts } = useSettingTexts();
  const { kind, problem, isWorking, connected } = form;
  const isMailbox = kind === 'imap';
  const isNothing = isMailbox && !hasPart(form, 'reads') && !hasPart(form, 'hasCalendar');
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isNothing && !isWorking) void form.send(isMailbox ? mailboxOf(form) : messengerOf(form, kind));
  };
  return (
    <SettingPart title={texts.connectTitle}>
      <form className={settings.form} onSubmit={send}>
        <Kinds form={form} />
        {isMailbox ? (
          <MailboxFields form={form} first={first} />
        ) : (
          <MessengerFields key={kind} form={form} messenger={kind} first={first} />
        )}
        <Problem text={isNothing ? texts.nothing : problem} />
        <div className={settings.buttons}>
          <Button type="submit" kind="main" isWorking={isWorking}>
            {texts.connect}
          </Button>
          <p role="status" className={styles.trying}>
            {isWorking && texts.trying}
          </p>
        </div>
        {connected && <HookNotice connected={connected} />}
      </form>
    </SettingPart>
  );
}

function Kinds({ form }: { form: Form }) {
  const { accounts: texts } = useSettingTexts();
  return (
    <fieldset className={styles.kinds}>
      <legend className="unseen">{texts.kind}</legend>
      {kinds.map((kind) => (
        <label key={kind} className={formStyles.choice}>
          <input type="radio" name="kind" checked={kind === form.kind} onChange={() => form.choose(kind)} />
          {texts.kinds[kind]}
        </label>
      ))}
    </fieldset>
  );
}
