import { KeyList, LettersSwitch } from '../app/key-list.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Setting } from './setting.tsx';

/** The switch for single-letter keys in this browser, and the keys of every page. */
export function KeyboardPage() {
  const { settings, keySheet } = useTexts();
  return (
    <Setting page="keyboard" lead={settings.keyboardLead}>
      <LettersSwitch />
      <KeyList title={keySheet.everywhere} isPage={false} />
    </Setting>
  );
}
