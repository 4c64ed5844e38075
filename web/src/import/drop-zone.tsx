import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { useKeys } from '../app/keys.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import styles from './import.module.css';

interface DropZoneProps {
  readonly read: (file: File) => Promise<void>;
  /** The name of the file that is being read. */
  readonly reading: string | undefined;
  readonly problem: string | undefined;
}

/** Accepts one file, dropped or chosen. */
export function DropZone({ read, reading, problem }: DropZoneProps) {
  const { imports } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const [file] = files ?? [];
    if (file) void read(file);
  };
  useKeys([{ keys: 'mod+o', label: imports.choose, run: () => input.current?.click() }]);
  return (
    <div
      className={isOver ? `${styles.drop} ${styles.over}` : styles.drop}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <FileUp size={20} aria-hidden="true" />
      <p>{imports.dropHere}</p>
      <p className="hint">{imports.orPaste}</p>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.vcf,text/csv,application/json,text/vcard"
        onChange={({ target }) => {
          take(target.files);
          target.value = '';
        }}
      />
      <Button kind="main" isWorking={reading !== undefined} onClick={() => input.current?.click()}>
        {imports.choose}
      </Button>
      <p role="status">{reading !== undefined && <bdi>{imports.reading(reading)}</bdi>}</p>
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}
