import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { chooseRows, chosenRows, rowChoices } from '../app/row-height.ts';
import { chooseTheme, chosenTheme, type Theme } from '../app/theme.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useLanguage, useTexts } from '../i18n/language.tsx';
import { languages, type Language } from '../i18n/languages.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Fact, Setting, SettingPart } from './setting.tsx';
import styles from './settings.module.css';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** The reader's profile, the appearance of the application, and sign-out. */
export function YouPage() {
  return (
    <Setting page="you">
      <WhoYouAre />
      <Looks />
      <WayOut />
    </Setting>
  );
}

function WhoYouAre() {
  const { settings, shell } = useTexts();
  const { reader } = useWorkspace();
  return (
    <dl className={styles.facts}>
      <Fact label={settings.name}>
        <bdi>{reader.name}</bdi>
      </Fact>
      <Fact label={settings.email}>
        <bdi>{reader.email}</bdi>
      </Fact>
      <Fact label={settings.inOrganization}>
        <bdi>{reader.organization}</bdi>
        <a className={styles.aside} href="/signin/organization">
          {shell.anotherOrganization}
        </a>
      </Fact>
      <Fact label={settings.role}>
        <bdi>{reader.role}</bdi>
        {reader.isAdmin ? (
          <span className={`dim ${styles.aside}`}>{settings.mayEverything}</span>
        ) : (
          <Link className={styles.aside} to="/settings/roles">
            {settings.whatItMay}
          </Link>
        )}
      </Fact>
    </dl>
  );
}

function Looks() {
  const { settings, shell } = useTexts();
  const { language, choose } = useLanguage();
  const [theme, setTheme] = useState(chosenTheme);
  const [rows, setRows] = useState(chosenRows);
  return (
    <SettingPart title={settings.looks}>
      <div className={styles.form}>
        <Field label={shell.language}>
          {(control) => (
            <select {...control} value={language} onChange={({ target }) => choose(target.value as Language)}>
              {Object.entries(languages).map(([id, name]) => (
                <option key={id} value={id} lang={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Choice
          label={settings.theme}
          all={themes}
          texts={settings.themes}
          value={theme}
          choose={(chosen) => {
            chooseTheme(chosen);
            setTheme(chosenTheme());
          }}
        />
        <Choice
          label={settings.rowHeight}
          hint={settings.thisBrowser}
          all={rowChoices}
          texts={settings.rowHeights}
          value={rows}
          choose={(chosen) => {
            chooseRows(chosen);
            setRows(chosenRows());
          }}
        />
      </div>
    </SettingPart>
  );
}

interface ChoiceProps<One extends string> {
  readonly label: string;
  readonly hint?: string;
  readonly all: readonly One[];
  readonly texts: Readonly<Record<One, string>>;
  readonly value: One;
  readonly choose: (one: One) => void;
}

function Choice<One extends string>({ label, hint, all, texts, value, choose }: ChoiceProps<One>) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => choose(target.value as One)}>
          {all.map((one) => (
            <option key={one} value={one}>
              {texts[one]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A form of the service: its answer ends the session and leads to the sign-in page. */
function WayOut() {
  const { settings, shell } = useTexts();
  return (
    <SettingPart title={shell.signOut}>
      <form method="post" action="/signout" className={styles.buttons}>
        <Button type="submit">{shell.signOut}</Button>
        <Button type="submit" name="everywhere" value="yes">
          {settings.everywhere}
        </Button>
      </form>
      <p className="hint">{settings.everywhereHint}</p>
    </SettingPart>
  );
}
