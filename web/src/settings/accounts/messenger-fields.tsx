import type { Ref } from 'react';
import { useSettingTexts } from '../../i18n/setting-texts.ts';
import { FormField } from './form-field.tsx';
import type { AccountDocument, ConnectForm, Kind } from './use-connect.ts';

type Messenger = Exclude<Kind, 'imap'>;

interface FieldSpec {
  readonly name: string;
  /** Hides secrets from the provider; a secret that people choose stays visible, since they enter it at the provider too. */
  readonly isHidden?: boolean;
  readonly isOptional?: boolean;
}

/** The fields of each messenger's document, in the order of the form. */
const fieldSpecs: Readonly<Record<Messenger, readonly FieldSpec[]>> = {
  telegram: [
    { name: 'account_email' },
    { name: 'bot_token', isHidden: true },
    { name: 'secret_token' },
    { name: 'base_url', isOptional: true },
  ],
  whatsapp: [
    { name: 'account_email' },
    { name: 'phone_number_id' },
    { name: 'access_token', isHidden: true },
    { name: 'app_secret', isHidden: true },
    { name: 'verify_token' },
    { name: 'base_url', isOptional: true },
  ],
  linkedin: [
    { name: 'account_email' },
    { name: 'base_url' },
    { name: 'account_id' },
    { name: 'api_key', isHidden: true },
    { name: 'webhook_secret' },
  ],
};

/** The document of an account, from the form; empty optional fields are left out. */
export function messengerOf(form: ConnectForm, messenger: Messenger): AccountDocument {
  const said = fieldSpecs[messenger].flatMap(({ name, isOptional }) => {
    const value = form.value(name).trim();
    return isOptional && value === '' ? [] : [[name, value] as const];
  });
  // The form has every field that the document needs.
  return { provider: messenger, ...Object.fromEntries(said) } as AccountDocument;
}

interface MessengerFieldsProps {
  readonly form: ConnectForm;
  readonly messenger: Messenger;
  readonly first: Ref<HTMLInputElement>;
}

/** The fields of a messenger. */
export function MessengerFields({ form, messenger, first }: MessengerFieldsProps) {
  const texts: Readonly<Record<string, string>> = useSettingTexts().accounts.messenger[messenger];
  return (
    <>
      <p className="dim">{texts['lead']}</p>
      {fieldSpecs[messenger].map(({ name, isHidden, isOptional }, at) => (
        <FormField
          key={name}
          {...(at === 0 && { ref: first })}
          form={form}
          name={name}
          label={texts[name] ?? name}
          hint={texts[`${name}Hint`]}
          type={isHidden ? 'password' : name === 'base_url' ? 'url' : 'text'}
          required={!isOptional}
          maxLength={8000}
        />
      ))}
    </>
  );
}
