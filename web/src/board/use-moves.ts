/** Moves of cards: shown at once, completed with required fields, and reverted with a reason if they are refused. */
import { useState } from 'react';
import { KithError } from '../../../client/index.js';
import { fieldErrorsOf, kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { nameOf } from '../api/record-name.ts';
import type { Field, KithRecord } from '../api/workspace.ts';
import { written } from '../app/changes.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import type { List } from '../records/use-list.ts';
import { valueText } from '../values/text-of.ts';
import { valueAt, type BoardColumn, type Grouping } from './grouping.ts';
import type { useGroups } from './use-board.ts';

/** A move that waits for required fields. */
export interface PendingMove {
  readonly card: KithRecord;
  readonly to: BoardColumn;
  readonly fields: readonly Field[];
  readonly reason: string;
  readonly errors: Readonly<Record<string, string>>;
}

/** Moves cards between columns. */
export function useMoves(list: List, grouping: Grouping, groups: ReturnType<typeof useGroups>) {
  const texts = useTexts();
  const { reader } = useWorkspace();
  const formats = useFormats();
  const [pending, setPending] = useState<PendingMove>();
  const [refused, setRefused] = useState<{ readonly id: string; readonly reason: string }>();
  const { object } = list;
  const movedText = (card: KithRecord, { label, step }: BoardColumn) => {
    const forced = Object.entries(step?.forced_values ?? {}).flatMap(([name, value]) => {
      const field = object.fields.find((one) => one.name === name);
      return field ? [texts.board.forced(field.label, valueText(field, value, formats))] : [];
    });
    return [texts.board.moved(nameOf(card, reader.displayFields[object.name]), label), ...forced].join(' ');
  };
  const write = (card: KithRecord, to: BoardColumn, values: Readonly<Record<string, unknown>>) => {
    if (to.step && Object.keys(values).length === 0)
      return kith.pipelines.move(object.name, card.id, { pipeline_step_id: to.key });
    return kith.records.update(object.name, card.id, {
      ...values,
      [grouping.name]: valueAt(grouping, to),
    });
  };
  const move = async (card: KithRecord, to: BoardColumn, values: Readonly<Record<string, unknown>> = {}) => {
    const isThere = (card[grouping.name] ?? null) === valueAt(grouping, to);
    if (isThere) return;
    setRefused(undefined);
    const shown = { [grouping.name]: valueAt(grouping, to), [`${grouping.name}_display`]: to.label };
    const putBack = groups.show(card.id, to.key, { ...shown, ...values });
    try {
      await written<unknown>(write(card, to, values), { text: movedText(card, to) }, texts.shell);
      setPending(undefined);
    } catch (error) {
      putBack();
      const missing = missingIn(error, object.fields);
      if (missing.length > 0)
        // Fields that were asked for earlier stay, with their typed values.
        setPending((was) => askedFor(card, to, [...new Set([...(was?.fields ?? []), ...missing])], error));
      else {
        setPending(undefined);
        setRefused({ id: card.id, reason: messageOf(error) });
      }
    }
    void queries.invalidateQueries({ queryKey: keys.object(object.name) });
  };
  return { move, pending, refused, putBack: () => setPending(undefined) };
}

function askedFor(card: KithRecord, to: BoardColumn, fields: readonly Field[], error: unknown): PendingMove {
  const errors = error instanceof KithError && error.code === 'MISSING_REQUIRED_FIELDS' ? [] : fieldErrorsOf(error);
  return {
    card,
    to,
    fields,
    reason: messageOf(error),
    errors: Object.fromEntries(errors.map(({ field, message }) => [field, message])),
  };
}

/** The fields that the service requires, as far as this reader may see them. */
function missingIn(error: unknown, fields: readonly Field[]): readonly Field[] {
  const names = new Set(fieldErrorsOf(error).map(({ field }) => field));
  return fields.filter(({ name, isReadonly }) => names.has(name) && !isReadonly);
}
