/** The state of the form for a new record: values, errors, and creating it. */
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

/** The form for a new record of an object, with initial `given` values; without them, the created record is opened. */
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
    const fieldErrors = fieldErrorsOf(error);
    // Text typed into a field that is gone meanwhile is offered to be copied.
    const own = fieldErrors.filter(({ field }) => writable.some(({ name }) => name === field));
    const gone = await Promise.all(own.map(({ field }) => isFieldGone(error, object.name, field)));
    if (gone.includes(true)) return;
    setErrors(Object.fromEntries(fieldErrors.map(({ field, message }) => [field, message])));
    setOther(fieldErrors.some(({ field }) => fields.some(({ name }) => name === field)) ? undefined : messageOf(error));
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
    /** The error that belongs to none of the shown fields. */
    other,
    isWorking,
    save,
    /** Shows the remaining fields; undefined if all are shown. */
    more: !hasMore && fields.length < writable.length ? () => setMore(true) : undefined,
  };
}

/** The fields that the role may write and that `given` does not set. */
function useWritable({ name: object, fields }: ObjectShape, given: Values | undefined): readonly Field[] {
  const { permissions } = useWorkspace();
  return fields.filter(
    ({ name, isReadonly, type }) =>
      !isReadonly && permissions[object]?.fields[name] === 'write' && type !== 'PIPELINE' && !(name in (given ?? {})),
  );
}

/** Typed values, also in a ref, since Enter may come before the last keystroke is rendered. */
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

/** Offers text typed into removed fields to be copied, and keeps the rest. */
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

/** Required fields, then those that people usually fill in first. */
function firstOf(fields: readonly Field[]): readonly Field[] {
  const required = fields.filter(({ isRequired }) => isRequired);
  const usual = fields.filter(({ isRequired, type, isHidden }) => !isRequired && !isHidden && firstTypes.has(type));
  return [...required, ...usual.slice(0, Math.max(0, mostFirst - required.length))];
}
