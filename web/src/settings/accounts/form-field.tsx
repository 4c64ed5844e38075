import type { ComponentProps, Ref } from 'react';
import { Field } from '../../ui/field.tsx';
import type { ConnectForm } from './use-connect.ts';

interface FormFieldProps extends Pick<
  ComponentProps<'input'>,
  'type' | 'required' | 'maxLength' | 'inputMode' | 'pattern'
> {
  readonly form: ConnectForm;
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A line of the form; `name` is the document's name for it. */
export function FormField({ form, name, label, hint, ...input }: FormFieldProps) {
  return (
    <Field label={label} hint={hint} error={form.errorOf(name)}>
      {(control) => (
        <input
          {...control}
          {...input}
          name={name}
          autoComplete="off"
          spellCheck={false}
          value={form.value(name)}
          onChange={({ target }) => form.type(name, target.value)}
        />
      )}
    </Field>
  );
}
