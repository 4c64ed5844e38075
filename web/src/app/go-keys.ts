import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../i18n/language.tsx';
import { useKeys, type Key } from './keys.ts';
import { useWorkspace } from './workspace-context.tsx';

/** `G`, then a letter: goes to the most used pages. */
export function useGoKeys(): void {
  const { shell } = useTexts();
  const { objects } = useWorkspace();
  const navigate = useNavigate();
  const pages = [
    ['h', '/home', shell.home],
    ['i', '/inbox', shell.inbox],
    ['t', '/tasks', shell.tasks],
    ['l', '/calendar', shell.calendar],
    ['n', '/notifications', shell.notifications],
    ['s', '/settings', shell.settings],
  ] as const;
  const records = [
    ['c', 'contacts'],
    ['o', 'companies'],
    ['d', 'opportunities'],
  ] as const;
  const keys: Key[] = [
    ...pages.map(([letter, to, label]) => ({ keys: `g ${letter}`, label, run: () => void navigate({ to }) })),
    ...records.flatMap(([letter, name]) => {
      const object = objects.get(name);
      if (!object) return [];
      const go = () => void navigate({ to: '/r/$object', params: { object: name } });
      return [{ keys: `g ${letter}`, label: object.label, run: go }];
    }),
  ];
  useKeys(keys, false);
}
