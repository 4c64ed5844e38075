/** Chooses the step of a pipeline by typing. */
import { useState } from 'react';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { Dot, colorAt } from '../../ui/chip.tsx';
import { textIn } from '../shapes.ts';
import { Choices, type Choice } from './choices.tsx';
import { useEnding, type EditorProps } from './editing.tsx';

/** Steps of the record's pipeline; if it is in none, those of all pipelines of its object. The value is a step's id. */
export function StepEditor(props: EditorProps) {
  const { field, record, error, autoFocus = false, begun } = props;
  const { pipelines, objects } = useWorkspace();
  const current = textIn(record['pipeline_step_id']) ?? null;
  const ending = useEnding({ ...props, value: current });
  const [typed, setTyped] = useState(begun ?? '');
  const object = [...objects.values()].find(({ fields }) => fields.includes(field))?.name;
  const own = pipelines.filter(({ id }) => id === record['pipeline_id']);
  const steps = (own.length > 0 ? own : pipelines.filter((one) => one.objectName === object)).flatMap((one) =>
    one.steps.map((step, index): Choice => ({
      id: step.id,
      label: step.name,
      shown: (
        <>
          <Dot color={colorAt(index)} isRing={step.kind !== 'ongoing'} />
          <bdi className="clip">{step.name}</bdi>
        </>
      ),
    })),
  );
  const wanted = typed.trim().toLocaleLowerCase();
  return (
    <Choices
      label={field.label}
      isMany={false}
      chosen={steps.filter(({ id }) => id === current)}
      found={steps.filter(({ label }) => label.toLocaleLowerCase().includes(wanted))}
      typed={typed}
      setTyped={setTyped}
      keep={(chosen) => (chosen[0] ? ending.keep(chosen[0].id) : ending.stop())}
      stop={ending.stop}
      error={error}
      autoFocus={autoFocus}
    />
  );
}
