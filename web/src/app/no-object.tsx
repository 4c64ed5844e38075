import { Link } from '@tanstack/react-router';
import { useTexts } from '../i18n/language.tsx';
import { Empty } from '../ui/empty.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { NoAccess } from './no-access.tsx';
import { useWorkspace } from './workspace-context.tsx';

/** Shown for an object that the reader does not have: an admin learns that it does not exist, with the closest name. */
export function NoObject({ name }: { name: string }) {
  const { shell } = useTexts();
  const { objects, reader } = useWorkspace();
  if (!reader.isAdmin) return <NoAccess title={shell.records} what={name} />;
  const meant = [...objects.values()].find(
    (object) => object.name.startsWith(name.slice(0, beginning)) && name.length >= beginning,
  );
  const action = meant ? (
    <Link to="/r/$object" params={{ object: meant.name }}>
      {meant.label}
    </Link>
  ) : (
    <Link to="/home">{shell.goHome}</Link>
  );
  return (
    <>
      <TopBar title={shell.nothing} />
      <Empty action={action}>{shell.noObject(name)}</Empty>
    </>
  );
}

/** So many letters tell what was meant: `contact`, `company`. */
const beginning = 4;
