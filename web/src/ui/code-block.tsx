import { Copy } from 'lucide-react';
import { useRef, type Ref } from 'react';
import { useTexts } from '../i18n/language.tsx';
import { Button } from './button.tsx';
import styles from './code-block.module.css';
import { toast } from './toasts.tsx';

interface CodeBlockProps {
  readonly label: string;
  readonly text: string;
  /** Ref of the copy button. */
  readonly copyRef?: Ref<HTMLButtonElement>;
}

/** Text to copy, by its button or by a click that selects all of it. */
export function CodeBlock({ label, text, copyRef }: CodeBlockProps) {
  const { shell } = useTexts();
  const code = useRef<HTMLPreElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ text: shell.copied });
    } catch {
      // Over plain http browsers allow no access to the clipboard, so the text is selected for the person to copy.
      if (code.current) getSelection()?.selectAllChildren(code.current);
      toast({ text: shell.marked });
    }
  };
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        {label}
        <Button
          kind="bare"
          icon={<Copy size={14} />}
          aria-label={`${shell.copy}: ${label}`}
          ref={copyRef}
          onClick={() => void copy()}
        >
          {shell.copy}
        </Button>
      </figcaption>
      <pre ref={code} className={styles.code} tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
    </figure>
  );
}
