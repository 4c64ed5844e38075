import { useTexts } from '../i18n/language.tsx';
import { Empty } from '../ui/empty.tsx';
import { TopBar } from '../ui/top-bar.tsx';

/** Shown for an address that the role has no access to. */
export function NoAccess({ title, what }: { title: string; what: string }) {
  const { shell } = useTexts();
  return (
    <>
      <TopBar title={title} />
      <Empty>{shell.noAccess(what)}</Empty>
    </>
  );
}
