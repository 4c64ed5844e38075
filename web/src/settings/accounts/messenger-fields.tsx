import type { Ref } from 'react';
import { useSettingTexts } from '../../i18n/setting-texts.ts';
import { FormField } from './form-field.tsx';
import type { AccountDocument, ConnectForm, Kind } from './use-connect.ts';

type Messenger = Exclude<Kind, 'imap'>;

interface Asked {
  readonly name: string;
  /** What the provider gives is not shown; what people choose they give to the provider, too, and see. */
  readonly isHidden?: boolean;
  readonly isOptional?: boolean;
}

/** What each messenger's document has, in the order of the form. */
const asked: Readonly<Record<Messenger, readonly Asked[]>> = {
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

/** What the form says, as the document of an account; what may be left out and is, is not there. */
export function messengerOf(form: ConnectForm, messenger: Messenger): AccountDocument {
  const said = asked[messenger].flatMap(({ name, isOptional }) => {
    const value = form.value(name).trim();
    return isOptional && value === '' ? [] : [[name, value] as const];
  });
  // The form asks for all that the document needs.
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
      {asked[messenger].map(({ name, isHidden, isOptional }, at) => (
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
