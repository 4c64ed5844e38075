import { useSettingTexts } from '../../i18n/setting-texts.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';
import styles from './accounts.module.css';
import type { Connected } from './use-connect.ts';

/** Where a provider calls in that has to be told so by its customer. */
export function HookNotice({ connected: { id, kind } }: { connected: Connected }) {
  const { accounts: texts, shell } = useSettingTexts();
  if (kind !== 'whatsapp' && kind !== 'linkedin') return undefined;
  const address = `${location.origin}/api/hooks/${kind}/${id}`;
  const copy = () => void navigator.clipboard.writeText(address).then(() => toast({ text: shell.copied }));
  return (
    <div className={styles.notice} role="status">
      <p>{texts.hook(texts.kinds[kind])}</p>
      <code>{address}</code>
      <Button aria-label={texts.copyHook} onClick={copy}>
        {shell.copy}
      </Button>
    </div>
  );
}
