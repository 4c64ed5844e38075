/** What belongs to the record: related records, lists, and open tasks. */
import type { ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { ListsOf } from './lists-of.tsx';
import type { Loaded } from './record-query.ts';
import { wayBeside, waysTo } from './related.ts';
import { Related } from './related-records.tsx';
import { TasksOf } from './tasks-of.tsx';

const linkable = new Set(['contacts', 'companies', 'opportunities']);

interface RelationsPaneProps {
  readonly shape: ObjectShape;
  readonly loaded: Loaded;
  /** Whether a past state of the record is shown, in which nothing can be changed. */
  readonly isPast: boolean;
}

/** Sections of related records; an empty section is shown only if something can be added to it. */
export function RelationsPane({ shape, loaded, isPast }: RelationsPaneProps) {
  const workspace = useWorkspace();
  const { record: texts } = useTexts();
  const { record, lists } = loaded;
  const beside = wayBeside(shape, record);
  const ways = waysTo(shape.name, workspace);
  const hasTasks = linkable.has(shape.name) && (workspace.permissions['tasks']?.view ?? 'none') !== 'none';
  return (
    <>
      {ways.map((way) => {
        const isAlone = ways.filter(({ from }) => from === way.from).length === 1;
        return (
          <Related
            key={`${way.from.name}.${way.field.name}`}
            title={isAlone ? way.from.label : texts.beside(way.from.label, way.field.label)}
            way={way}
            object={shape.name}
            id={record.id}
            isPast={isPast}
          />
        );
      })}
      {beside && (
        <Related
          title={texts.beside(shape.label, beside.name)}
          way={beside}
          object={beside.field.relationConfig?.targetObjectName ?? ''}
          id={beside.id}
          but={record.id}
          isPast
        />
      )}
      <ListsOf object={shape.name} record={record} lists={lists} isPast={isPast} />
      {hasTasks && <TasksOf object={shape.name} id={record.id} />}
    </>
  );
}
