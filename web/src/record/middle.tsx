/** The middle of the page: tabs of the timeline, and on small screens of the other panes. */
import { useRef, type ReactNode } from 'react';
import type { KithRecord, ObjectShape } from '../api/workspace.ts';
import { sideArrows } from '../app/direction.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Composer } from './composer.tsx';
import styles from './record-page.module.css';
import { Timeline } from './timeline.tsx';
import { useTimeline, type Kind } from './use-timeline.ts';

export type Tab = 'timeline' | 'details' | 'emails' | 'notes' | 'tasks' | 'related';

const kinds: Readonly<Partial<Record<Tab, Kind>>> = { emails: 'interactions', notes: 'notes', tasks: 'tasks' };

interface MiddleProps {
  readonly shape: ObjectShape;
  readonly record: KithRecord;
  /** Whether the timeline is rendered; the composer is there at once. */
  readonly isWhole: boolean;
  readonly tab: Tab;
  readonly choose: (tab: Tab) => void;
  readonly details: ReactNode;
  readonly related: ReactNode;
  /** The form of a message that is being written. */
  readonly mail: ReactNode;
}

/** Shows one tab at a time. */
export function Middle({ shape, record, isWhole, tab, choose, details, related, mail }: MiddleProps) {
  const isActivity = tab !== 'details' && tab !== 'related';
  return (
    <section className={styles.middle}>
      <Tabs shape={shape} id={record.id} tab={tab} choose={choose} />
      {mail}
      {isActivity && !mail && <Composer object={shape.name} id={record.id} />}
      <div id="record-part" className={styles.scroll} role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {tab === 'details' ? (
          <div className={styles.pad}>{details}</div>
        ) : tab === 'related' ? (
          <div className={styles.pad}>{related}</div>
        ) : (
          isWhole && <Timeline key={`${record.id} ${tab}`} shape={shape} record={record} kind={kinds[tab]} />
        )}
      </div>
    </section>
  );
}

function Tabs({ shape, id, tab, choose }: { shape: ObjectShape; id: string; tab: Tab; choose: (tab: Tab) => void }) {
  const { record: texts } = useTexts();
  const formats = useFormats();
  const { counts } = useTimeline(shape.name, id);
  const list = useRef<HTMLDivElement>(null);
  const all: readonly { readonly tab: Tab; readonly only?: string | undefined; readonly count?: number | undefined }[] =
    [
      { tab: 'timeline' },
      { tab: 'details', only: styles.onlyPhone },
      ...(['emails', 'notes', 'tasks'] as const).flatMap((one) => {
        const count = counts[kinds[one] ?? ''];
        return count === undefined ? [] : [{ tab: one, count }];
      }),
      { tab: 'related', only: styles.onlyNarrow },
    ];
  const turn = (by: number) => {
    const shown = [...(list.current?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])].filter(
      (one) => one.offsetParent !== null,
    );
    const next = shown[(shown.findIndex((one) => one.id === `tab-${tab}`) + by + shown.length) % shown.length];
    next?.focus();
    next?.click();
  };
  return (
    <div
      ref={list}
      className={styles.tabs}
      role="tablist"
      aria-label={texts.parts}
      onKeyDown={({ key }) => {
        const { forward, backward } = sideArrows();
        if (key === forward || key === backward) turn(key === forward ? 1 : -1);
      }}
    >
      {all.map(({ tab: one, only, count }) => (
        <button
          key={one}
          id={`tab-${one}`}
          type="button"
          role="tab"
          className={only === undefined ? styles.tab : `${styles.tab} ${only}`}
          aria-selected={one === tab}
          aria-controls="record-part"
          tabIndex={one === tab ? 0 : -1}
          onClick={() => choose(one)}
        >
          {texts[one]}
          {count !== undefined && <span className="faint numeric">{formats.number(count)}</span>}
        </button>
      ))}
    </div>
  );
}
