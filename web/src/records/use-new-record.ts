/** A record that is being made: what is typed of it, what is wrong, and what makes it. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { fieldErrorsOf, kith, messageOf } from '../api/kith.ts';
import { queries } from '../api/queries.ts';
import type { Field, ObjectShape } from '../api/workspace.ts';
import { written } from '../app/changes.ts';
import { isFieldGone, leftOver } from '../app/left-over.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';

type Values = Readonly<Record<string, unknown>>;

const firstTypes = new Set(['TEXT', 'EMAILS', 'PHONES', 'RELATION', 'CURRENCY', 'DATE', 'SELECT']);
const mostFirst = 7;

/** A new record of an object; it has the `given` values from the start, and is gone to when it is made without any. */
export function useNewRecord(object: ObjectShape, given: Values | undefined, close: () => void) {
  const texts = useTexts();
  const navigate = useNavigate();
  const writable = useWritable(object, given);
  const { values, typed, put } = useTyped(writable);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [other, setOther] = useState<string>();
  const [isWorking, setWorking] = useState(false);
  const [hasMore, setMore] = useState(false);
  const fields = hasMore ? writable : firstOf(writable);
  const refused = async (error: unknown) => {
    const told = fieldErrorsOf(error);
    // Where a field is gone meanwhile, what was typed into it is given back.
    const own = told.filter(({ field }) => writable.some(({ name }) => name === field));
    const gone = await Promise.all(own.map(({ field }) => isFieldGone(error, object.name, field)));
    if (gone.includes(true)) return;
    setErrors(Object.fromEntries(told.map(({ field, message }) => [field, message])));
    setOther(told.some(({ field }) => fields.some(({ name }) => name === field)) ? undefined : messageOf(error));
  };
  const save = async () => {
    setWorking(true);
    try {
      const sent = kith.records.create(object.name, { ...given, ...typed.current });
      const made = await written(sent, { text: texts.records.newOne(object.labelSingular) }, texts.shell);
      void queries.invalidateQueries();
      close();
      if (!given) void navigate({ to: '/r/$object/$id', params: { object: object.name, id: idIn(made) } });
    } catch (error) {
      setWorking(false);
      await refused(error);
    }
  };
  return {
    fields,
    values,
    put,
    errors,
    /** What is wrong with none of the fields that are shown. */
    other,
    isWorking,
    save,
    /** Shows the fields that are not; undefined where all are. */
    more: !hasMore && fields.length < writable.length ? () => setMore(true) : undefined,
  };
}

/** The fields that the role may fill in, and that are not given. */
function useWritable({ name: object, fields }: ObjectShape, given: Values | undefined): readonly Field[] {
  const { permissions } = useWorkspace();
  return fields.filter(
    ({ name, isReadonly, type }) =>
      !isReadonly && permissions[object]?.fields[name] === 'write' && type !== 'PIPELINE' && !(name in (given ?? {})),
  );
}

/** What was typed. What Enter sends is what was typed last, drawn or not: so it is in `typed`, too. */
function useTyped(writable: readonly Field[]) {
  const [values, setValues] = useState<Values>({});
  const typed = useRef(values);
  const keep = (next: Values) => {
    typed.current = next;
    setValues(next);
  };
  useGone(writable, values, keep);
  return { values, typed, put: (name: string, value: unknown) => keep({ ...typed.current, [name]: value }) };
}

/** Gives back what was typed into fields that are gone by now, and keeps the rest. */
function useGone(writable: readonly Field[], values: Values, keep: (kept: Values) => void): void {
  const { shell } = useTexts();
  const labels = useRef(new Map<string, string>());
  useEffect(() => {
    for (const { name, label } of writable) labels.current.set(name, label);
    const gone = Object.keys(values).filter((name) => !writable.some((field) => field.name === name));
    if (gone.length === 0) return;
    keep(Object.fromEntries(Object.entries(values).filter(([name]) => !gone.includes(name))));
    for (const name of gone) leftOver(labels.current.get(name) ?? name, asText(values[name]), shell);
  });
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
}

function idIn(made: unknown): string {
  const { id, record } = made as { id?: string; record?: { id: string } };
  return id ?? record?.id ?? '';
}

/** What is required, then what people know of it first. */
function firstOf(fields: readonly Field[]): readonly Field[] {
  const required = fields.filter(({ isRequired }) => isRequired);
  const usual = fields.filter(({ isRequired, type, isHidden }) => !isRequired && !isHidden && firstTypes.has(type));
  return [...required, ...usual.slice(0, Math.max(0, mostFirst - required.length))];
}
