/** The bar above: breadcrumb, the position in the list, and links to the neighbours. */
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, Link2 } from 'lucide-react';
import { keyText } from '../app/keys.ts';
import type { ObjectShape } from '../api/workspace.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import type { Neighbours } from './neighbours.ts';
import styles from './record-page.module.css';
import type { Actions } from './use-actions.ts';

interface RecordBarProps {
  readonly shape: ObjectShape;
  readonly name: string;
  readonly neighbours: Neighbours | undefined;
  readonly actions: Actions;
}

/** The bar of the record's page. */
export function RecordBar({ shape, name, neighbours, actions }: RecordBarProps) {
  const { record: texts } = useTexts();
  const formats = useFormats();
  return (
    <header className={styles.bar}>
      <Link className={styles.crumb ?? ''} to="/r/$object" params={{ object: shape.name }}>
        <bdi>{shape.label}</bdi>
      </Link>
      <span className="faint" aria-hidden="true">
        /
      </span>
      <h1 className="clip" dir="auto">
        {name.slice(0, 300)}
      </h1>
      <span className={styles.space} />
      {neighbours && (
        <>
          <span className={styles.place} role="status">
            {texts.place(formats.number(neighbours.position), formats.number(neighbours.total))}
          </span>
          <Step id={neighbours.previous} label={texts.previousRecord} hint="alt+ArrowUp" go={actions.go} />
          <Step id={neighbours.next} label={texts.nextRecord} hint="alt+ArrowDown" go={actions.go} />
        </>
      )}
      <span className={styles.wide}>
        <Button kind="bare" icon={<Link2 size={14} />} onClick={actions.copyLink}>
          {texts.copyLink}
        </Button>
      </span>
    </header>
  );
}

interface StepProps {
  readonly id: string | undefined;
  readonly label: string;
  readonly hint: 'alt+ArrowUp' | 'alt+ArrowDown';
  readonly go: (id: string | undefined) => void;
}

function Step({ id, label, hint, go }: StepProps) {
  const Icon = hint === 'alt+ArrowUp' ? ChevronUp : ChevronDown;
  return (
    <Button
      kind="bare"
      icon={<Icon size={16} />}
      aria-label={label}
      title={`${label} (${keyText(hint)})`}
      disabled={id === undefined}
      onClick={() => go(id)}
    />
  );
}
