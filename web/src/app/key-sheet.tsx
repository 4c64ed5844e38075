import { useTexts } from '../i18n/language.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { KeyList, LettersSwitch } from './key-list.tsx';

/** Every key of this page, and the switch for single-letter keys. */
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
