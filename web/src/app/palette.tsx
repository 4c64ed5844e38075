/** Search or do: every record by its name, every action of the page and of the workspace, by typing alone. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Input } from 'react-aria-components/Input';
import { Header, Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { kith } from '../api/kith.ts';
import { nameOf } from '../api/record-name.ts';
import { useTexts } from '../i18n/language.tsx';
import menus from '../ui/menu.module.css';
import { keyText, useListedKeys } from './keys.ts';
import { ObjectIcon } from './object-icon.tsx';
import styles from './palette.module.css';
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
  const groups = [...useRecords(text), useActions(text)].filter(({ items }) => items.length > 0);
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <SearchField
        aria-label={palette.title}
        className={styles.field ?? ''}
        autoFocus
        onKeyDown={({ key }) => {
          // It closes at once, whatever was typed.
          if (key === 'Escape') close();
        }}
      >
        <Search size={16} strokeWidth={1.5} aria-hidden="true" />
        <Input placeholder={palette.hint} className={styles.input ?? ''} />
      </SearchField>
      <div className={styles.scroll} role="group" aria-label={palette.title} tabIndex={0}>
        <Menu
          aria-label={palette.title}
          className={styles.menu ?? ''}
          renderEmptyState={() => <p className={styles.nothing}>{palette.nothing(text)}</p>}
        >
          {groups.map(({ title, items }) => (
            <MenuSection key={title}>
              <Header className={menus.header ?? ''}>{title}</Header>
              {items.map(({ id, label, detail, icon, run }) => (
                <MenuItem
                  key={id}
                  id={id}
                  textValue={label}
                  className={menus.item ?? ''}
                  onAction={() => {
                    close();
                    run();
                  }}
                >
                  {icon}
                  <bdi className="clip">{label}</bdi>
                  {detail}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </div>
    </Autocomplete>
  );
}

interface Group {
  readonly title: string;
  readonly items: readonly Item[];
}

interface Item {
  readonly id: string;
  readonly label: string;
  readonly detail?: React.ReactNode;
  readonly icon?: React.ReactNode;
  run(): void;
}

/** Records that fit, by object; what was found for fewer letters stays until more is known. */
function useRecords(text: string): readonly Group[] {
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
  return (data?.results ?? []).map(({ objectName, objectLabel, records }) => ({
    title: objectLabel,
    items: records.map((record) => ({
      id: `${objectName}/${String(record['id'])}`,
      label: nameOf(record, reader.displayFields[objectName]),
      icon: <ObjectIcon name={objects.get(objectName)?.iconName ?? null} />,
      run: () => void navigate({ to: '/r/$object/$id', params: { object: objectName, id: String(record['id']) } }),
    })),
  }));
}

/** What there is a key for, and the objects to go to. */
function useActions(text: string): Group {
  const { palette } = useTexts();
  const navigate = useNavigate();
  const { objects } = useWorkspace();
  const actions = useListedKeys()
    .filter(({ keys }) => keys !== 'mod+k')
    .map(({ keys, label, run }) => ({
      id: `key ${keys}`,
      label,
      detail: <kbd>{keyText(keys)}</kbd>,
      run: () => run(new KeyboardEvent('keydown')),
    }));
  const places = [...objects.values()].map(({ name, label, iconName }) => ({
    id: `go ${name}`,
    label: palette.open(label),
    icon: <ObjectIcon name={iconName} />,
    run: () => void navigate({ to: '/r/$object', params: { object: name } }),
  }));
  const wanted = text.trim().toLocaleLowerCase();
  const items = [...actions, ...places].filter(({ label }) => label.toLocaleLowerCase().includes(wanted));
  return { title: palette.actions, items };
}
