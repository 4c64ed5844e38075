/** The records of an object, as a table or a board. */
import { useParams } from '@tanstack/react-router';
import { NoObject } from '../app/no-object.tsx';
import { useObject } from '../app/workspace-context.tsx';
import { useTitle } from '../app/use-title.ts';
import { useTexts } from '../i18n/language.tsx';
import { ListOf } from './list-of.tsx';

/** The page of `/r/{object}`. */
export function ListPage() {
  const { object: name = '' } = useParams({ strict: false });
  const object = useObject(name);
  const { shell } = useTexts();
  useTitle(object?.label ?? shell.records);
  // The key gives each object its own state.
  return object ? <ListOf key={name} object={object} /> : <NoObject name={name} />;
}
