import { useSettingTexts } from '../../i18n/setting-texts.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import styles from './accounts.module.css';
import type { Connected } from './use-connect.ts';

/** Shows the address that a customer has to register with a provider that calls the service. */
export function HookNotice({ connected: { id, kind } }: { connected: Connected }) {
  const { accounts: texts } = useSettingTexts();
  if (kind !== 'whatsapp' && kind !== 'linkedin') return undefined;
  return (
    <div className={styles.notice} role="status">
      <p>{texts.hook(texts.kinds[kind])}</p>
      <CodeBlock label={texts.hookAddress} text={`${location.origin}/api/hooks/${kind}/${id}`} />
    </div>
  );
}
