import { useRef, useState, type SyntheticEvent } from 'react';
import { kith } from '../api/kith.ts';
import { useKeys } from '../app/keys.ts';
import { useFormats } from '../i18n/language.tsx';
import { useSettingTexts } from '../i18n/setting-texts.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { sendOnEnter } from '../ui/send-on-enter.ts';
import { useWork } from '../ui/use-work.ts';
import type { MadeToken } from './fresh-token.tsx';
import { SettingPart } from './setting.tsx';
import styles from './settings.module.css';

/** Lifetimes of a token, as the service takes them, in days; '' means until it is revoked. */
const lifetimes = [
  ['90d', 90],
  ['30d', 30],
  ['1y', 365],
  ['', undefined],
] as const;

/** Creates a token; only its name is required. */
export function NewToken({ made }: { made: (token: MadeToken) => Promise<void> }) {
  const { tokens } = useSettingTexts();
  const name = useRef<HTMLInputElement>(null);
  const draft = useDraft(made);
  useKeys([{ keys: 'c', label: tokens.new, run: () => name.current?.focus() }]);
  return (
    <SettingPart title={tokens.new}>
      <form className={styles.form} onSubmit={(event) => void draft.send(event)}>
        <Field label={tokens.columns.name} hint={tokens.nameHint}>
          {(control) => (
            <input {...control} ref={name} required maxLength={200} autoComplete="off" {...draft.control('name')} />
          )}
        </Field>
        <Field label={tokens.columns.scopes} hint={tokens.scopesHint}>
          {(control) => <input {...control} maxLength={500} autoComplete="off" {...draft.control('scopes')} />}
        </Field>
        <Field label={tokens.goodFor}>
          {(control) => (
            <select {...control} {...draft.control('lifetime')} onKeyDown={sendOnEnter}>
              {lifetimes.map(([id, days]) => (
                <option key={id} value={id}>
                  <Lifetime days={days} />
                </option>
              ))}
            </select>
          )}
        </Field>
        <Problem text={draft.problem} />
        <Button kind="main" type="submit" isWorking={draft.isWorking}>
          {tokens.create}
        </Button>
      </form>
    </SettingPart>
  );
}

function Lifetime({ days }: { days: number | undefined }) {
  const { tokens } = useSettingTexts();
  const formats = useFormats();
  if (days === undefined) return tokens.untilRevoked;
  return tokens.days(days, formats.day(new Date(Date.now() + days * 86_400_000).toISOString()));
}

type Typed = Readonly<Record<'name' | 'scopes' | 'lifetime', string>>;

/** The form's values; they stay if the service refuses them. */
function useDraft(made: (token: MadeToken) => Promise<void>) {
  const [typed, setTyped] = useState<Typed>({ name: '', scopes: 'mcp', lifetime: '90d' });
  const { isWorking, problem, run } = useWork();
  return {
    problem,
    isWorking,
    control: (field: keyof Typed) => ({
      value: typed[field],
      onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [field]: target.value }),
    }),
    send(event: SyntheticEvent) {
      event.preventDefault();
      return run(async () => {
        const token = await kith.token.create(inputOf(typed));
        setTyped({ ...typed, name: '' });
        await made(token);
      });
    },
  };
}

function inputOf({ name, scopes, lifetime }: Typed) {
  const named = scopes.split(/[\s,]+/).filter((scope) => scope !== '');
  return {
    name: name.trim(),
    ...(named.length > 0 && { scopes: named }),
    ...(lifetime !== '' && { expires_in: lifetime }),
  };
}
