/** The record's position in its pipeline, and a button for each other step. */
import type { Field, KithRecord } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { lockOf } from '../values/editable.ts';
import { shownMeanwhile } from '../values/shown-meanwhile.ts';
import { save } from './saving.ts';
import styles from './step-bar.module.css';

/** One segment per step; the current one and those before it are filled. */
export function StepBar({
  object,
  field,
  record,
  isPast,
}: {
  object: string;
  field: Field;
  record: KithRecord;
  isPast: boolean;
}) {
  const workspace = useWorkspace();
  const { record: texts, shell } = useTexts();
  const steps = workspace.pipelines.find(({ id }) => id === record['pipeline_id'])?.steps ?? [];
  if (steps.length === 0) return null;
  const at = steps.findIndex(({ id }) => id === record['pipeline_step_id']);
  const isLocked = isPast || lockOf(field, workspace.permissions[object]) !== undefined;
  const move = (id: string, name: string) =>
    void save({
      object,
      id: record.id,
      field,
      base: record,
      value: id,
      shown: shownMeanwhile(field, id, workspace),
      text: texts.movedTo(name),
      shell,
    });
  return (
    <div className={styles.bar} role="group" aria-label={texts.steps}>
      {steps.map(({ id, name, kind }, index) => (
        <button
          key={id}
          type="button"
          className={styles.step}
          title={name}
          aria-label={index === at ? texts.currentStep(name) : name}
          aria-pressed={index === at}
          data-before={index < at && steps[at]?.kind === 'ongoing'}
          data-kind={kind}
          disabled={isLocked}
          onClick={() => index !== at && move(id, name)}
        />
      ))}
    </div>
  );
}
