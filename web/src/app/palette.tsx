/** Search or do: every record by its name, every action of the page and of the workspace, by typing alone. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { kith } from '../api/kith.ts';
import { nameOf } from '../api/record-name.ts';
import { useTexts } from '../i18n/language.tsx';
import { Picker, type PickItem } from '../ui/picker.tsx';
import { keyText, useListedKeys } from './keys.ts';
import { ObjectIcon } from './object-icon.tsx';
import styles from './palette.module.css';
import { settingGroups } from '../settings/pages.ts';
import { useWorkspace } from './workspace-context.tsx';

const mostOfEach = 5;

/** The palette, over the page. */
export function Palette({ close }: { close: () => void }) {
  const { palette } = useTexts();
  return (
    <ModalOverlay
      className={styles.scrim ?? ''}
      isOpen
      isDismissable
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog aria-label={palette.title} className={styles.dialog ?? ''}>
          <Finder close={close} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Finder({ close }: { close: () => void }) {
  const { palette } = useTexts();
  const [text, setText] = useState('');
  const items = [...useRecords(text), ...useActions(text)];
  return (
    <Picker
      label={palette.title}
      items={items}
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

/** Records that fit, by object; what was found for fewer letters stays until more is known. */
function useRecords(text: string): readonly Item[] {
  const navigate = useNavigate();
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
      run: () => void navigate({ to: '/r/$object/$id', params: { object: objectName, id: String(record['id']) } }),
    })),
  );
}

/** What there is a key for, and the objects to go to. */
function useActions(text: string): readonly Item[] {
  const { palette, settings, shell } = useTexts();
  const navigate = useNavigate();
  const { objects, reader } = useWorkspace();
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
  const pages = settingGroups(reader.isAdmin).flatMap((group) =>
    group.pages.map((page) => ({
      id: `setting ${page}`,
      label: palette.open(settings.pages[page]),
      detail: shell.settings,
      run: () => void navigate({ to: `/settings/${page}` }),
    })),
  );
  const wanted = text.trim().toLocaleLowerCase();
  return [...actions, ...places, ...pages]
    .filter(({ label }) => label.toLocaleLowerCase().includes(wanted))
    .map((item) => ({ ...item, group: palette.actions }));
}
