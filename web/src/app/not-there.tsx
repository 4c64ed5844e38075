import { Link } from '@tanstack/react-router';
import { useTexts } from '../i18n/language.tsx';
import { Empty } from '../ui/empty.tsx';
import { TopBar } from '../ui/top-bar.tsx';

/** Shown for an address without a page, and for a record that is gone or hidden: nobody can tell which. */
export function NotThere() {
  const { shell } = useTexts();
  return (
    <>
      <TopBar title={shell.nothing} />
      <Empty action={<Link to="/home">{shell.goHome}</Link>}>{shell.notThere}</Empty>
    </>
  );
}
