import { useEffect, useLayoutEffect, useRef } from 'react';
import { leftOver } from '../../app/left-over.ts';
import { useTexts } from '../../i18n/language.tsx';
import type { EditorProps } from './editing.tsx';

const texts = 'input:not([type=checkbox], [type=radio], [type=hidden]), textarea, [contenteditable=true]';

/** If an editor is unmounted before it has ended, for example because its field was removed, offers the typed text to be copied. */
export function useRescue({ field, begun, commit, cancel }: EditorProps) {
  const { shell } = useTexts();
  const around = useRef<HTMLSpanElement>(null);
  const isUnsaved = useRef(begun !== undefined);
  const latest = useRef({ label: field.label, shell });
  useEffect(() => {
    latest.current = { label: field.label, shell };
  });
  useLayoutEffect(() => {
    const element = around.current;
    return () => {
      if (!isUnsaved.current || !element) return;
      const typed = [...element.querySelectorAll<HTMLElement>(texts)].map((one) =>
        'value' in one ? String(one.value) : one.innerText,
      );
      leftOver(latest.current.label, typed.filter(Boolean).join('\n'), latest.current.shell);
    };
  }, []);
  return {
    around,
    typed: () => {
      isUnsaved.current = true;
    },
    commit: (value: unknown) => {
      isUnsaved.current = false;
      commit(value);
    },
    cancel: () => {
      isUnsaved.current = false;
      cancel();
    },
  };
}
