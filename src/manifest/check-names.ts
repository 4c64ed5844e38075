/** Names and labels that people read. One that the workspace has already may stay, and be used again. */
import { labelProblem } from '../lib/label.ts';
import type { StoredField, StoredModel } from '../model/definition.ts';
import { placeOf, type Draft } from './draft.ts';
import type { Problems } from './problems.ts';
import { below } from './shape.ts';

interface Named {
  readonly place: string;
  readonly text: string;
}

/** Adds a problem for everything whose name is new and has characters that nobody sees. */
export function checkNames(stored: StoredModel, draft: Draft, problems: Problems): void {
  const known = new Set(
    namesIn({ model: stored, places: new Map() })
      .flat()
      .map(({ text }) => text),
  );
  for (const names of namesIn(draft)) {
    const wrong = names.flatMap(({ place, text }) => {
      const problem = known.has(text) ? undefined : labelProblem(text);
      return problem === undefined ? [] : [{ place, problem }];
    });
    // One that is not given is made of the one before it, and wrong with it.
    if (wrong[0]) problems.add(wrong[0].place, wrong[0].problem);
  }
}

/** The names of each thing. */
function namesIn(draft: Draft): Named[][] {
  const { name, objects, pipelines, roles } = draft.model;
  return [
    [{ place: 'organization.name', text: name }],
    ...objects.flatMap((object) => {
      const place = placeOf(draft, object.id, object.name);
      const { label, labelSingular } = object.definition;
      return [
        [
          { place: below(place, 'label'), text: label },
          { place: below(place, 'labelSingular'), text: labelSingular },
        ],
        ...object.fields.flatMap((field) => namesOfField(field, draft, `${object.name}.${field.name}`)),
      ];
    }),
    ...[...pipelines, ...pipelines.flatMap(({ steps }) => steps), ...roles].map((item) => [
      { place: below(placeOf(draft, item.id, item.name), 'name'), text: item.name },
    ]),
  ];
}

function namesOfField({ id, definition }: StoredField, draft: Draft, name: string): Named[][] {
  const place = placeOf(draft, id, name);
  const { label, options, junctionFields = [] } = definition;
  return [
    [{ place: below(place, 'label'), text: label }],
    ...(options ?? []).map((option, index) => [
      { place: `${place}.options[${index}].value`, text: option.value },
      { place: `${place}.options[${index}].label`, text: option.label },
    ]),
    ...junctionFields.flatMap((part) => namesOfField(part, draft, `${name}.${part.name}`)),
  ];
}
