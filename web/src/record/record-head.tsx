/** The record's name, its main actions, and a menu with the others. */
import { Ellipsis } from 'lucide-react';
import { keyText, useListedKeys } from '../app/keys.ts';
import { useState } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import type { KithRecord, ObjectShape } from '../api/workspace.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { textOf } from '../values/text-of.ts';
import styles from './record-page.module.css';
import type { Actions } from './use-actions.ts';

const RecordMenu = lazyPart(
  () => import('./record-menu.tsx'),
  (file) => file.RecordMenu,
);

interface RecordHeadProps {
  readonly shape: ObjectShape;
  readonly record: KithRecord;
  readonly name: string;
  readonly actions: Actions;
}

/** The head of the record; the page's title is in the bar above. */
export function RecordHead({ shape, record, name, actions }: RecordHeadProps) {
  const { record: texts } = useTexts();
  const [button, setButton] = useState<HTMLButtonElement>();
  // The composer has these, if the role may write.
  const writing = useListedKeys().filter(({ keys, isPage }) => isPage && (keys === 'n' || keys === 't'));
  const title = name.length > 200 ? `${name.slice(0, 200)}…` : name;
  return (
    <div className={styles.head}>
      <Avatar name={name} kind={shape.name === 'contacts' ? 'person' : 'company'} size="large" />
      <div className={styles.names}>
        <p className={styles.name} dir="auto">
          {title}
        </p>
        <Subtitle shape={shape} record={record} />
      </div>
      <div className={styles.actions}>
        {actions.email && (
          <Button hint={keyText('e')} onClick={actions.email}>
            {texts.email}
          </Button>
        )}
        {writing.map(({ keys, label, run }) => (
          <Button key={keys} hint={keyText(keys)} onClick={() => run(new KeyboardEvent('keydown'))}>
            {label}
          </Button>
        ))}
        <Button
          kind="bare"
          data-record-menu
          icon={<Ellipsis size={16} />}
          aria-label={texts.moreActions}
          title={texts.moreActions}
          aria-haspopup="menu"
          aria-expanded={button !== undefined}
          onClick={({ currentTarget }) => setButton(currentTarget)}
        />
      </div>
      {button && (
        <RecordMenu
          at={button}
          close={() => setButton(undefined)}
          showHistory={actions.showHistory}
          addToList={actions.addToList}
          merge={actions.merge}
          remove={actions.remove}
        />
      )}
    </div>
  );
}

/** The fields that tell most: company and position of a person, industry, step or plan of others. */
function Subtitle({ shape, record }: { shape: ObjectShape; record: KithRecord }) {
  const formats = useFormats();
  const names = ['company_id', 'job_title', 'industry', 'pipeline', 'plan'];
  const parts = shape.fields.filter(({ name }) => names.includes(name)).map((field) => textOf(field, record, formats));
  const text = parts.filter(Boolean).join(', ');
  return text === '' ? null : (
    <p className={`${styles.telling} dim`}>
      <bdi>{text.slice(0, 300)}</bdi>
    </p>
  );
}
