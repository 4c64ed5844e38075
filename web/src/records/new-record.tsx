/** The form of a new record: required fields, and those that people usually fill in. */
import type { ObjectShape } from '../api/workspace.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FieldForm, focusUnread } from './field-form.tsx';
import { useNewRecord } from './use-new-record.ts';

interface NewRecordProps {
  readonly object: ObjectShape;
  readonly close: () => void;
  /** Initial values, such as the step of a board column. */
  readonly given?: Readonly<Record<string, unknown>>;
}

/** The form in a dialog. */
export function NewRecord({ object, close, given }: NewRecordProps) {
  const texts = useTexts();
  const record = useNewRecord(object, given, close);
  const save = () => {
    if (!focusUnread()) void record.save();
  };
  return (
    <Dialog
      title={texts.records.newOne(object.labelSingular)}
      isOpen
      close={close}
      actions={
        <>
          <Button onClick={close}>{texts.shell.cancel}</Button>
          <Button kind="main" isWorking={record.isWorking} onClick={save}>
            {texts.shell.create}
          </Button>
        </>
      }
    >
      <FieldForm
        fields={record.fields}
        record={{ id: '', ...record.values }}
        errors={record.errors}
        put={record.put}
        send={save}
      />
      {record.other !== undefined && <p role="alert">{record.other}</p>}
      {record.more && (
        <Button kind="bare" onClick={record.more}>
          {texts.records.moreFields}
        </Button>
      )}
    </Dialog>
  );
}
