/** A new record: what it needs, and what people fill in first. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { fieldErrorsOf, kith, messageOf } from '../api/kith.ts';
import { queries } from '../api/queries.ts';
import type { Field, ObjectShape } from '../api/workspace.ts';
import { written } from '../app/changes.ts';
import { isFieldGone, leftOver } from '../app/left-over.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FieldForm, focusUnread } from './field-form.tsx';

interface NewRecordProps {
  readonly object: ObjectShape;
  readonly close: () => void;
  /** Values that it has from the start, such as the step of a board. */
  readonly given?: Readonly<Record<string, unknown>>;
}

const firstTypes = new Set(['TEXT', 'EMAILS', 'PHONES', 'RELATION', 'CURRENCY', 'DATE', 'SELECT']);
const mostFirst = 7;

/** The dialog. */
export function NewRecord({ object, close, given }: NewRecordProps) {
  const texts = useTexts();
  const navigate = useNavigate();
  const { permissions } = useWorkspace();
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({});
  // What Enter sends is what was typed last, drawn or not.
  const typed = useRef(values);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [other, setOther] = useState<string>();
  const [isWorking, setWorking] = useState(false);
  const [hasMore, setMore] = useState(false);
  const writable = object.fields.filter(
    ({ name, isReadonly, type }) =>
      !isReadonly &&
      permissions[object.name]?.fields[name] === 'write' &&
      type !== 'PIPELINE' &&
      !(name in (given ?? {})),
  );
  useGone(writable, values, (kept) => {
    typed.current = kept;
    setValues(kept);
  });
  const fields = hasMore ? writable : firstOf(writable);
  const title = texts.records.newOne(object.labelSingular);
  const save = async () => {
    if (focusUnread()) return;
    setWorking(true);
    try {
      const made = await written(
        kith.records.create(object.name, { ...given, ...typed.current }),
        { text: title },
        texts.shell,
      );
      void queries.invalidateQueries();
      close();
      if (!given) void navigate({ to: '/r/$object/$id', params: { object: object.name, id: idIn(made) } });
    } catch (error) {
      setWorking(false);
      const told = fieldErrorsOf(error);
      // Where a field is gone meanwhile, what was typed into it is given back.
      const own = told.filter(({ field }) => writable.some(({ name }) => name === field));
      const gone = await Promise.all(own.map(({ field }) => isFieldGone(error, object.name, field)));
      if (gone.includes(true)) return;
      setErrors(Object.fromEntries(told.map(({ field, message }) => [field, message])));
      setOther(told.some(({ field }) => fields.some(({ name }) => name === field)) ? undefined : messageOf(error));
    }
  };
  return (
    <Dialog
      title={title}
      isOpen
      close={close}
      actions={
        <>
          <Button onClick={close}>{texts.shell.cancel}</Button>
          <Button kind="main" isWorking={isWorking} onClick={() => void save()}>
            {texts.shell.create}
          </Button>
        </>
      }
    >
      <FieldForm
        fields={fields}
        record={{ id: '', ...values }}
        errors={errors}
        put={(name, value) => {
          typed.current = { ...typed.current, [name]: value };
          setValues(typed.current);
        }}
        send={() => void save()}
      />
      {other !== undefined && <p role="alert">{other}</p>}
      {!hasMore && fields.length < writable.length && (
        <Button kind="bare" onClick={() => setMore(true)}>
          {texts.records.moreFields}
        </Button>
      )}
    </Dialog>
  );
}

type Values = Readonly<Record<string, unknown>>;

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
