/** A merge before it is done: which record stays, whose values it gets, and what that would make of it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RecordsDuplicatesBody } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import type { Field, KithRecord, ObjectShape } from '../api/workspace.ts';
import type { Group } from './find.ts';

export interface Choice {
  readonly master: string;
  /** By field, the record whose value was chosen. */
  readonly values: Readonly<Record<string, string>>;
}

/** What is chosen for a group: the record with most in it stays at first. */
export function useChoice(group: Group, object: ObjectShape) {
  const [choice, setChoice] = useState<Choice>(() => ({ master: fullest(group, object), values: {} }));
  return {
    choice,
    keep: (master: string) => setChoice({ master, values: choice.values }),
    take: (field: string, id: string) => setChoice({ ...choice, values: { ...choice.values, [field]: id } }),
  };
}

/** The request that the choice is. */
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

/** What the merge would make. */
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

/** Sets of addresses are united: nothing is chosen there. */
const united: readonly Field['type'][] = ['EMAILS', 'PHONES', 'MANY_TO_MANY'];
const computed: readonly Field['type'][] = ['CALCULATED', 'ROLLUP'];

export interface Row {
  readonly field: Field;
  /** Whether a person can say whose value stays. */
  readonly isChosen: boolean;
}

/** The fields that some record has a value of. */
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
      const told = new Set(
        records.map((record) => JSON.stringify(isNothing(record[field.name]) ? null : record[field.name])),
      );
      return { field, isChosen: told.size > 1 && !united.includes(field.type) };
    });
}

/** The record whose value of the field stays, as far as nobody chose another. */
export function takenFrom({ records }: Group, field: string, { master, values }: Choice): string {
  const chosen = values[field];
  if (chosen !== undefined) return chosen;
  const inOrder = [...records].toSorted((a, b) => Number(b.id === master) - Number(a.id === master));
  return inOrder.find((record) => !isNothing(record[field]))?.id ?? master;
}

/** Whether that is no value. */
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
