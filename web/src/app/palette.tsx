/** The palette: finds any record by name, and any action of the page and the workspace. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { kith } from '../api/kith.ts';
import { nameOf } from '../api/record-name.ts';
import { useTexts } from '../i18n/language.tsx';
import { Layer } from '../ui/layer.tsx';
import { Picker, type PickItem } from '../ui/picker.tsx';
import { keyText, useListedKeys } from './keys.ts';
import { ObjectIcon } from './object-icon.tsx';
import styles from './palette.module.css';
import { settingGroups } from '../settings/pages.ts';
import { useOpenRecord } from './use-open-record.ts';
import { useWorkspace } from './workspace-context.tsx';

const mostOfEach = 5;
const firstItems = 14;

interface PaletteProps {
  /** Text that was typed before it opened. */
  readonly begun?: string;
  readonly close: () => void;
}

/** The palette, above the page; only its input takes the focus. */
export function Palette({ begun = '', close }: PaletteProps) {
  const { palette } = useTexts();
  return (
    <Layer close={close} isDim>
      <div className={styles.dialog} role="dialog" aria-modal="true" aria-label={palette.title}>
        <Finder begun={begun} close={close} />
      </div>
    </Layer>
  );
}

function Finder({ begun, close }: Required<PaletteProps>) {
  const { palette } = useTexts();
  const [text, setText] = useState(begun);
  const [records, actions] = [useRecords(text), useActions(text)];
  // An action whose name begins with the text comes before records with the same words.
  const begins = ({ label }: Item) => text.trim() !== '' && beginsWith(label, text);
  const items = [...actions.filter(begins), ...records, ...actions.filter((action) => !begins(action))];
  // Items below the first screenful are rendered after it is painted.
  const isWhole = useDeferredValue(true, false);
  return (
    <Picker
      label={palette.title}
      items={isWhole ? items : items.slice(0, firstItems)}
      begun={begun}
      ask={setText}
      nothing={palette.nothing(text)}
      pick={(id) => {
        close();
        items.find((item) => item.id === id)?.run();
      }}
    />
  );
}

interface Item extends PickItem {
  run(): void;
}

/** Matching records, by object; earlier results stay until newer ones arrive. */
function useRecords(text: string): readonly Item[] {
  const open = useOpenRecord();
  const { objects, reader } = useWorkspace();
  const query = text.trim();
  const { data } = useQuery({
    queryKey: ['search', query],
    queryFn: ({ signal }) => kith.everything.search({ query, limit: mostOfEach }, { signal }),
    enabled: query.length > 1,
    placeholderData: keepPreviousData,
  });
  if (query.length < 2) return [];
  return (data?.results ?? []).flatMap(({ objectName, objectLabel, records }) =>
    records.map((record) => ({
      group: objectLabel,
      id: `${objectName}/${String(record['id'])}`,
      label: nameOf(record, reader.displayFields[objectName]),
      icon: <ObjectIcon name={objects.get(objectName)?.iconName ?? null} />,
      run: () => void open(objectName, String(record['id'])),
    })),
  );
}

function beginsWith(label: string, text: string): boolean {
  return label.toLocaleLowerCase().startsWith(text.trim().toLocaleLowerCase());
}

/** Actions with keys, and the objects to go to. */
function useActions(text: string): readonly Item[] {
  const { palette, settings, shell } = useTexts();
  const navigate = useNavigate();
  const { objects, permissions, reader, userId } = useWorkspace();
  const actions = useListedKeys()
    .filter(({ keys }) => keys !== 'mod+k')
    .map(({ keys, label, run }) => ({
      id: `key ${keys}`,
      label,
      detail: keyText(keys),
      run: () => run(new KeyboardEvent('keydown')),
    }));
  const places = [...objects.values()].map(({ name, label, iconName }) => ({
    id: `go ${name}`,
    label: palette.open(label),
    icon: <ObjectIcon name={iconName} />,
    run: () => void navigate({ to: '/r/$object', params: { object: name } }),
  }));
  const made = [...objects.values()]
    .filter(({ name }) => permissions[name]?.create === true && !['tasks', 'notes'].includes(name))
    .map(({ name, labelSingular, iconName }) => ({
      id: `new ${name}`,
      label: palette.create(labelSingular),
      icon: <ObjectIcon name={iconName} />,
      run: () => void navigate({ to: '/r/$object', params: { object: name }, search: { new: '1' } }),
    }));
  const pages = settingGroups(reader.isAdmin).flatMap((group) =>
    group.pages.map((page) => ({
      id: `setting ${page}`,
      label: palette.open(settings.pages[page]),
      detail: shell.settings,
      run: () => void navigate({ to: `/settings/${page}` }),
    })),
  );
  const recent = {
    id: 'recent',
    label: palette.recentChanges,
    run: () => void navigate({ to: '/agents', search: { by: 'people', who: userId } }),
  };
  const wanted = text.trim().toLocaleLowerCase();
  return [...actions, recent, ...places, ...pages, ...made]
    .filter(({ label }) => label.toLocaleLowerCase().includes(wanted))
    .map((item) => ({ ...item, group: palette.actions }));
}
