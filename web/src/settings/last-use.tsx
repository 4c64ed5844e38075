import { useFormats, useTexts } from '../i18n/language.tsx';

/** When something was last used. */
export function LastUse({ at }: { at: string | null }) {
  const { settings } = useTexts();
  const formats = useFormats();
  if (at === null) return <span className="faint">{settings.neverUsed}</span>;
  return <time dateTime={at}>{formats.moment(at)}</time>;
}
