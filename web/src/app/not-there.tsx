import { Link } from '@tanstack/react-router';
import { useTexts } from '../i18n/language.tsx';
import { Empty } from '../ui/empty.tsx';
import { TopBar } from '../ui/top-bar.tsx';

/** An address without a page, or a record that is gone or not for this role: the same is said of both. */
export function NotThere() {
  const { shell } = useTexts();
  return (
    <>
      <TopBar title={shell.nothing} />
      <Empty action={<Link to="/home">{shell.goHome}</Link>}>{shell.notThere}</Empty>
    </>
  );
}
