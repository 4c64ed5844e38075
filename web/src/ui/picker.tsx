import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { SearchField } from 'react-aria-components/SearchField';
import type { ReactNode } from 'react';
import menus from './menu.module.css';
import styles from './picker.module.css';

export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
}

interface PickerProps {
  readonly at: HTMLElement;
  readonly label: string;
  readonly hint: string;
  readonly text: string;
  readonly setText: (text: string) => void;
  /** What fits the text, best first. */
  readonly choices: readonly Choice[];
  readonly nothing: string;
  readonly pick: (id: string) => void;
  readonly close: () => void;
}

/** One of many by typing: the field has the focus, the arrows go through what fits, Enter takes it. */
export function Picker({ at, label, hint, text, setText, choices, nothing, pick, close }: PickerProps) {
  return (
    <Popover
      isOpen
      triggerRef={{ current: at }}
      placement="bottom start"
      className={menus.popover ?? ''}
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Dialog aria-label={label} className={styles.dialog ?? ''}>
        <Autocomplete inputValue={text} onInputChange={setText}>
          <SearchField aria-label={label} autoFocus className={styles.field ?? ''}>
            <Input placeholder={hint} className={styles.input ?? ''} />
          </SearchField>
          <Menu
            aria-label={label}
            className={`${menus.menu} ${styles.menu}`}
            renderEmptyState={() => <p className={styles.nothing}>{nothing}</p>}
          >
            {choices.map(({ id, label: name, icon }) => (
              <MenuItem
                key={id}
                id={id}
                textValue={name}
                className={menus.item ?? ''}
                onAction={() => {
                  close();
                  pick(id);
                }}
              >
                {icon}
                <bdi className="clip">{name}</bdi>
              </MenuItem>
            ))}
          </Menu>
        </Autocomplete>
      </Dialog>
    </Popover>
  );
}
