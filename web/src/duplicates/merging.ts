/** A merge before it is carried out: which record stays, whose values it gets, and the result. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RecordsDuplicatesBody } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import type { Field, KithRecord, ObjectShape } from '../api/workspace.ts';
import type { Group } from './find.ts';

export interface Choice {
  readonly master: string;
  /** The id of the record whose value was chosen, by field. */
  readonly values: Readonly<Record<string, string>>;
}

/** The choices for a group; at first the record with the most values stays. */
export function useChoice(group: Group, object: ObjectShape) {
  const [choice, setChoice] = useState<Choice>(() => ({ master: fullest(group, object), values: {} }));
  return {
    choice,
    keep: (master: string) => setChoice({ master, values: choice.values }),
    take: (field: string, id: string) => setChoice({ ...choice, values: { ...choice.values, [field]: id } }),
  };
}

/** The request body of the choice. */
export function bodyOf({ records }: Group, object: string, { master, values }: Choice): RecordsDuplicatesBody {
  return {
    action: 'merge',
    object_name: object,
    master_id: master,
    duplicate_ids: records.map(({ id }) => id).filter((id) => id !== master),
    merge_strategy: 'fill_blanks',
    values,
  };
}

/** A dry run of the merge. */
export function useTrial(group: Group, object: string, choice: Choice) {
  const body = bodyOf(group, object, choice);
  return useQuery({
    queryKey: ['records', object, 'merge', body],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const answer = await kith.records.duplicates(body, { dryRun: true });
      if (!('record' in answer)) return { record: undefined, moved: {} };
      return { record: answer.record as KithRecord, moved: answer.moved ?? {} };
    },
  });
}

/** Sets are united, so there is no choice. */
const united: readonly Field['type'][] = ['EMAILS', 'PHONES', 'MANY_TO_MANY'];
const computed: readonly Field['type'][] = ['CALCULATED', 'ROLLUP'];

export interface Row {
  readonly field: Field;
  /** Whether a person can choose whose value stays. */
  readonly isChosen: boolean;
}

/** The fields in which some record has a value. */
export function rowsOf({ records }: Group, object: ObjectShape): readonly Row[] {
  return object.fields
    .filter(
      ({ name, type, isHidden, isReadonly, relationConfig }) =>
        !isHidden &&
        !(isReadonly && !computed.includes(type)) &&
        !computed.includes(type) &&
        relationConfig?.relationType !== 'HAS_MANY' &&
        records.some((record) => !isNothing(record[name])),
    )
    .map((field) => {
      const distinct = new Set(
        records.map((record) => JSON.stringify(isNothing(record[field.name]) ? null : record[field.name])),
      );
      return { field, isChosen: distinct.size > 1 && !united.includes(field.type) };
    });
}

/** The record whose value is taken: the chosen one, else the default. */
export function takenFrom({ records }: Group, field: string, { master, values }: Choice): string {
  const chosen = values[field];
  if (chosen !== undefined) return chosen;
  const inOrder = [...records].toSorted((a, b) => Number(b.id === master) - Number(a.id === master));
  return inOrder.find((record) => !isNothing(record[field]))?.id ?? master;
}

/** Whether the value is empty. */
export function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function fullest({ records }: Group, { fields }: ObjectShape): string {
  const filled = (record: KithRecord) => fields.filter(({ name }) => !isNothing(record[name])).length;
  const [first] = [...records].toSorted(
    (a, b) => filled(b) - filled(a) || String(a['created_at']).localeCompare(String(b['created_at'])),
  );
  return first?.id ?? '';
}
