import { useTexts } from '../i18n/language.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { KeyList, LettersSwitch } from './key-list.tsx';

/** Every key that counts on this page, and the switch for single letters. */
export function KeySheet({ close }: { close: () => void }) {
  const { keySheet } = useTexts();
  return (
    <Dialog title={keySheet.title} isOpen close={close}>
      <KeyList title={keySheet.thisPage} isPage />
      <KeyList title={keySheet.everywhere} isPage={false} />
      <LettersSwitch />
    </Dialog>
  );
}
