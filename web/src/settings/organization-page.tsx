import { useState, type SyntheticEvent } from 'react';
import type { WorkspaceUpdateBody } from '../../../client/index.js';
import { fieldErrorOf, fieldErrorsOf, kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useSettingTexts } from '../i18n/setting-texts.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { toast } from '../ui/toasts.tsx';
import { Problem } from '../ui/problem.tsx';
import { ReadOnly } from './read-only.tsx';
import { Fact, Setting } from './setting.tsx';
import styles from './settings.module.css';

/** The organization's settings: admins change them, others read them. */
export function OrganizationPage() {
  const { organization: texts } = useSettingTexts();
  const { reader } = useWorkspace();
  return (
    <Setting page="organization" lead={reader.isAdmin ? texts.lead : <ReadOnly reason={texts.locked} />}>
      {reader.isAdmin ? <OrganizationForm /> : <Facts />}
    </Setting>
  );
}

function Facts() {
  const { organization: texts } = useSettingTexts();
  const { reader } = useWorkspace();
  return (
    <dl className={styles.facts}>
      <Fact label={texts.name}>
        <bdi>{reader.organization}</bdi>
      </Fact>
      <Fact label={texts.currency}>{reader.currency}</Fact>
      <Fact label={texts.timezone}>{reader.timezone}</Fact>
    </dl>
  );
}

type Settings = Required<WorkspaceUpdateBody>;

/** Typed values replace stored ones until they are saved. */
function useSettings() {
  const { organization: texts } = useSettingTexts();
  const { reader } = useWorkspace();
  const [typed, setTyped] = useState<WorkspaceUpdateBody>({});
  const [error, setError] = useState<unknown>();
  const [isWorking, setWorking] = useState(false);
  const { organization, currency, timezone } = reader;
  const save = async (event: SyntheticEvent) => {
    event.preventDefault();
    setWorking(true);
    setError(undefined);
    try {
      const { currency: code, ...rest } = typed;
      await kith.workspace.update({ ...rest, ...(code !== undefined && { currency: code.trim().toUpperCase() }) });
      await queries.invalidateQueries({ queryKey: keys.workspace });
      setTyped({});
      toast({ text: texts.saved });
    } catch (thrown) {
      setError(thrown);
    }
    setWorking(false);
  };
  const values: Settings = { organization, currency, timezone, ...typed };
  return { values, error, isWorking, save, type: (change: WorkspaceUpdateBody) => setTyped({ ...typed, ...change }) };
}

function OrganizationForm() {
  const { organization: texts, shell } = useSettingTexts();
  const { values, error, isWorking, save, type } = useSettings();
  const input = (name: keyof Settings, label: string, more: { maxLength: number; list?: string; hint?: string }) => {
    const { hint, ...limits } = more;
    return (
      <Field label={label} hint={hint} error={fieldErrorOf(error, name)}>
        {(control) => (
          <input
            {...control}
            {...limits}
            required
            autoComplete="off"
            value={values[name]}
            onChange={({ target }) => type({ [name]: target.value })}
          />
        )}
      </Field>
    );
  };
  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      {input('organization', texts.name, { maxLength: 200 })}
      {input('currency', texts.currency, { maxLength: 3, list: 'currencies', hint: texts.currencyHint })}
      {input('timezone', texts.timezone, { maxLength: 100, list: 'zones', hint: texts.timezoneHint })}
      <Choices id="currencies" values={Intl.supportedValuesOf('currency')} />
      <Choices id="zones" values={Intl.supportedValuesOf('timeZone')} />
      <Problem text={error !== undefined && fieldErrorsOf(error).length === 0 ? messageOf(error) : undefined} />
      <Button type="submit" kind="main" isWorking={isWorking}>
        {shell.save}
      </Button>
    </form>
  );
}

function Choices({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
