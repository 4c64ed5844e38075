/** Changes of the record in its timeline. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil, Undo2 } from 'lucide-react';
import type { RecordsHistoryItem } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import type { KithRecord, ObjectShape } from '../api/workspace.ts';
import { undo } from '../app/changes.ts';
import { useTexts } from '../i18n/language.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Differences } from './differences.tsx';
import type { Edits } from './timeline-items.ts';
import styles from './timeline.module.css';
import { When } from './when.tsx';

/** Changes by one author within some minutes; an agent's can be undone here. */
export function Edited({ shape, record, edits }: { shape: ObjectShape; record: KithRecord; edits: Edits }) {
  const { record: texts } = useTexts();
  const [first] = edits.entries;
  if (!first) return null;
  const count = new Set(edits.entries.flatMap(({ changes }) => changes.map(({ field }) => field))).size;
  return (
    <div className={styles.line}>
      <span className={styles.icon}>
        {isByAgent(first) ? <Avatar name={first.agent ?? ''} kind="agent" /> : <Pencil size={14} aria-hidden="true" />}
      </span>
      <div className={styles.body}>
        <div className={styles.head}>
          <span className={styles.what}>
            <b>
              <Author entry={first} />
            </b>{' '}
            <span className="dim">
              {first.action === 'update' ? texts.changedFields(count) : actionText(first, texts)}
            </span>
          </span>
          <When date={edits.date} />
        </div>
        {first.action === 'update' && (
          <div className={styles.card}>
            {edits.entries.map((entry) => (
              <Differences key={entry.id} shape={shape} record={record} entry={entry} />
            ))}
            {isByAgent(first) && <AgentUndo edits={edits} count={count} />}
          </div>
        )}
      </div>
    </div>
  );
}

/** The author, and for an agent the user in whose name it acted. */
export function Author({ entry }: { entry: RecordsHistoryItem }) {
  const { record: texts } = useTexts();
  const who = entry.actor?.display ?? texts.somebody;
  return <bdi>{isByAgent(entry) ? texts.agentFor(entry.agent ?? '', who) : who}</bdi>;
}

/** The text for actions other than updates. */
export function actionText(
  { action, means }: RecordsHistoryItem,
  texts: ReturnType<typeof useTexts>['record'],
): string {
  const words = {
    create: texts.created,
    delete: texts.deleted,
    restore: texts.restored,
    unlink: texts.unlinked,
    update: '',
  }[action];
  return means === 'api' || means === 'demo' ? words : `${words} ${texts.by(means)}`;
}

/** A user's own programs are agents; for imports, `agent` is a file name. */
function isByAgent({ agent, means }: RecordsHistoryItem): boolean {
  return agent !== null && (means === 'agent' || means === 'tool');
}

function AgentUndo({ edits, count }: { edits: Edits; count: number }) {
  const { record: texts, shell } = useTexts();
  const set = edits.entries[0]?.change_set ?? '';
  const isOne = edits.entries.every((entry) => entry.change_set === set);
  const { data } = useQuery({
    queryKey: [...keys.changeSets, set],
    queryFn: () => kith.changeSets.get(set),
    enabled: set !== '',
  });
  const records = data?.change_set.records ?? 0;
  if (set === '' || data === undefined) return null;
  const undoAll = async () => {
    for (const changeSet of new Set(edits.entries.map((entry) => entry.change_set ?? '')))
      if (changeSet !== '') await undo({ changeSet, text: texts.changedFields(count) }, shell);
  };
  return (
    <span className={styles.actions}>
      {(records <= 1 || !isOne) && (
        <Button icon={<Undo2 size={14} />} onClick={() => void undoAll()}>
          {texts.undoThese(count)}
        </Button>
      )}
      {records > 1 && (
        <Link className={styles.thread ?? ''} to="/agents/$set" params={{ set }}>
          {texts.partOf(records)}
        </Link>
      )}
    </span>
  );
}
