import type { Ref } from 'react';
import { useSettingTexts } from '../../i18n/setting-texts.ts';
import { Field } from '../../ui/field.tsx';
import formStyles from '../../ui/form.module.css';
import styles from './accounts.module.css';
import { FormField } from './form-field.tsx';
import type { AccountDocument, ConnectForm } from './use-connect.ts';

/** The default choices for a mailbox; whether it uses tokens depends on its provider. */
const usual = { reads: true, sends: true, hasCalendar: false } as const;
type Part = keyof typeof usual | 'byTokens';

/** Whether the form shows this part of the mailbox. */
export function hasPart(form: ConnectForm, part: Part): boolean {
  const typed = form.value(part);
  if (typed !== '') return typed === 'yes';
  return part === 'byTokens' ? form.guess.asks?.what === 'oauth' : usual[part];
}

/** The document of a mailbox, a calendar or both, from the form. */
export function mailboxOf(form: ConnectForm): AccountDocument {
  const text = (name: string) => form.value(name).trim();
  const proof = { user: text('user') || text('account_email'), ...proofOf(form) };
  const server = (name: 'imap' | 'smtp') => ({
    host: text(`${name}.host`),
    port: Number(text(`${name}.port`)),
    security: text(`${name}.security`) as Security,
    ...proof,
  });
  return {
    provider: 'imap',
    account_email: text('account_email'),
    ...(hasPart(form, 'reads') && { imap: server('imap') }),
    ...(hasPart(form, 'reads') && hasPart(form, 'sends') && { smtp: server('smtp'), send_enabled: true }),
    ...(hasPart(form, 'hasCalendar') && { caldav: { url: text('caldav.url'), ...proof } }),
  };
}

/** The credentials: a password, or the means to get access tokens. */
function proofOf(form: ConnectForm) {
  const text = (name: string) => form.value(`xoauth2.${name}`).trim();
  if (!hasPart(form, 'byTokens')) return { password: form.value('password') };
  const secret = text('client_secret');
  return {
    xoauth2: {
      client_id: text('client_id'),
      ...(secret !== '' && { client_secret: secret }),
      refresh_token: text('refresh_token'),
      token_url: text('token_url'),
    },
  };
}

/** Address and password, then the servers, filled in from the address as far as they are known. */
export function MailboxFields({ form, first }: { form: ConnectForm; first: Ref<HTMLInputElement> }) {
  const { accounts: texts } = useSettingTexts();
  const { asks } = form.guess;
  return (
    <>
      <FormField
        ref={first}
        form={form}
        name="account_email"
        label={texts.address}
        type="email"
        required
        maxLength={320}
      />
      {asks && <p className={styles.note}>{texts[asks.what](asks.who)}</p>}
      <Check form={form} part="byTokens" label={texts.byTokens} />
      {hasPart(form, 'byTokens') ? (
        <TokenFields form={form} />
      ) : (
        <FormField
          form={form}
          name="password"
          label={texts.password}
          hint={texts.sealed}
          type="password"
          required
          maxLength={1000}
        />
      )}
      <FormField form={form} name="user" label={texts.user} hint={texts.userHint} maxLength={320} />
      <Check form={form} part="reads" label={texts.reads} />
      {hasPart(form, 'reads') && <Server form={form} name="imap" />}
      {hasPart(form, 'reads') && <Check form={form} part="sends" label={texts.sends} />}
      {hasPart(form, 'reads') && hasPart(form, 'sends') && <Server form={form} name="smtp" />}
      <Check form={form} part="hasCalendar" label={texts.hasCalendar} />
      {hasPart(form, 'hasCalendar') && (
        <FormField
          form={form}
          name="caldav.url"
          label={texts.calendarAddress}
          hint={texts.calendarHint}
          type="url"
          required
          maxLength={2000}
        />
      )}
    </>
  );
}

interface TokenField {
  readonly name: 'token_url' | 'client_id' | 'client_secret' | 'refresh_token';
  readonly type: 'url' | 'text' | 'password';
  readonly isOptional?: boolean;
}

const tokenFields: readonly TokenField[] = [
  { name: 'token_url', type: 'url' },
  { name: 'client_id', type: 'text' },
  { name: 'client_secret', type: 'password', isOptional: true },
  { name: 'refresh_token', type: 'password' },
];

function TokenFields({ form }: { form: ConnectForm }) {
  const { accounts: texts } = useSettingTexts();
  return (
    <>
      <p className="dim">
        {texts.tokensLead} <a href="/docs/mailboxes">{texts.tokensLink}</a>
      </p>
      {tokenFields.map(({ name, type, isOptional = false }) => (
        <FormField
          key={name}
          form={form}
          name={`xoauth2.${name}`}
          label={texts.tokens[name]}
          hint={type === 'password' ? texts.sealed : undefined}
          type={type}
          required={!isOptional}
          maxLength={2000}
        />
      ))}
    </>
  );
}

function Check({ form, part, label }: { form: ConnectForm; part: Part; label: string }) {
  return (
    <label className={formStyles.choice}>
      <input
        type="checkbox"
        name={part}
        checked={hasPart(form, part)}
        onChange={({ target }) => form.type(part, target.checked ? 'yes' : 'no')}
      />
      {label}
    </label>
  );
}

const securities = ['tls', 'starttls', 'none'] as const;
type Security = (typeof securities)[number];

function Server({ form, name }: { form: ConnectForm; name: 'imap' | 'smtp' }) {
  const { accounts: texts } = useSettingTexts();
  const isGuessed =
    form.value(`${name}.host`) !== '' && form.value(`${name}.host`) === form.guess.values[`${name}.host`];
  return (
    <fieldset className={styles.server}>
      <legend className="unseen">{texts.servers[name]}</legend>
      <FormField
        form={form}
        name={`${name}.host`}
        label={texts.host}
        hint={isGuessed ? texts.guessed : undefined}
        required
        maxLength={255}
      />
      <FormField
        form={form}
        name={`${name}.port`}
        label={texts.port}
        required
        inputMode="numeric"
        pattern="[0-9]+"
        maxLength={5}
      />
      <Field label={texts.security} error={form.errorOf(`${name}.security`)}>
        {(control) => (
          <select
            {...control}
            name={`${name}.security`}
            value={form.value(`${name}.security`)}
            onChange={({ target }) => form.type(`${name}.security`, target.value)}
          >
            {securities.map((security) => (
              <option key={security} value={security}>
                {texts.securities[security]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </fieldset>
  );
}
