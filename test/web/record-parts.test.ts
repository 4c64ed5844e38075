/** The parts of a record's page that need no page: how its timeline folds, where it stands in a list, and what a note becomes. */
import { describe, expect, it } from 'vitest';
import type { RecordsHistoryItem } from '../../client/index.js';
import { mentionAt, mentioned, noteHtml } from '../../web/src/record/note-text.ts';
import {
  addressOf,
  folded,
  grouped,
  merged,
  participantName,
  type Activity,
} from '../../web/src/record/timeline-items.ts';

function entry(id: string, at: string, more: Partial<RecordsHistoryItem> = {}): RecordsHistoryItem {
  const changes = [{ field: id, before: null, after: 1 }];
  return {
    id,
    at,
    action: 'update',
    actor: { id: 'u', display: 'Ada' },
    means: 'api',
    agent: null,
    change_set: id,
    changes,
    ...more,
  };
}

describe('the timeline', () => {
  it('folds changes of one author within ten minutes', () => {
    const ids = folded([
      entry('4', '2026-11-19T10:20:00Z'),
      entry('3', '2026-11-19T10:11:00Z'),
      entry('2', '2026-11-19T10:00:00Z'),
      entry('1', '2026-11-19T09:59:00Z', { actor: { id: 'other', display: 'Ben' } }),
      entry('0', '2026-11-19T09:58:00Z', { action: 'create' }),
    ]).map(({ entries }) => entries.map(({ id }) => id));
    expect(ids).toEqual([['4', '3'], ['2'], ['1'], ['0']]);
  });

  it('shows nothing older than what was not loaded yet', () => {
    const note = (id: string, date: string): Activity => ({ id, date, kind: 'note' });
    const edits = folded([entry('9', '2026-11-18T00:00:00Z'), entry('8', '2026-11-10T00:00:00Z')]);
    const notes = [note('a', '2026-11-19T00:00:00Z'), note('b', '2026-11-15T00:00:00Z')];
    const ids = (hasMore: boolean) =>
      merged({ items: notes, hasMore }, { items: edits, hasMore: false }).map(({ id }) => id);
    expect(ids(true)).toEqual(['a', 'change-9', 'b']);
    expect(ids(false)).toEqual(['a', 'change-9', 'b', 'change-8']);
  });

  it('has what is overdue first, then what is to be done, the week, months and years', () => {
    const at = (date: string, more: Partial<Activity> = {}): Activity => ({ id: date, date, kind: 'note', ...more });
    const groups = grouped(
      [
        at('2026-11-18T00:00:00'),
        at('2026-11-11T00:00:00'),
        at('2026-11-10T00:00:00', { kind: 'task', status: 'open' }),
        at('2026-11-12T00:00:00', { kind: 'task', status: 'open', due_date: '2026-11-18T12:00:00' }),
        at('2026-11-13T00:00:00', { kind: 'task', status: 'open', due_date: '2026-11-19T00:00:00' }),
        at('2026-11-09T00:00:00', { kind: 'task', status: 'done' }),
        at('2025-01-01T00:00:00'),
      ],
      new Date(2026, 10, 19),
    );
    expect(groups.map(({ part, items }) => [part, items.length])).toEqual([
      ['overdue', 1],
      ['next', 2],
      ['week', 1],
      ['month', 2],
      ['year', 1],
    ]);
  });

  it('tells names from addresses', () => {
    expect(addressOf('Anna Lee <Anna@Globex.test>')).toBe('anna@globex.test');
    expect(participantName('"Lee, Anna" <anna@globex.test>')).toBe('Lee, Anna');
    expect(participantName('anna@globex.test')).toBe('anna@globex.test');
  });
});

describe('a note', () => {
  it('stays text, whatever it looks like', () => {
    expect(noteHtml('<img src=x onerror=alert(1)>\n\n"a" & b')).toBe(
      '<p>&lt;img src=x onerror=alert(1)&gt;</p><p>&quot;a&quot; &amp; b</p>',
    );
  });

  it('tells those whom it names', () => {
    const users = [
      { id: '1', name: 'Diego Marín' },
      { id: '2', name: 'Emma' },
    ];
    expect(mentioned('ask @diego marín, not Emma', users)).toEqual(['1']);
    expect(mentionAt('ask @die', 8)).toEqual({ begin: 4, wanted: 'die' });
    expect(mentionAt('a@die', 5)).toBeUndefined();
  });
});
