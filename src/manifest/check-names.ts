/** Checks names and labels. Existing ones may stay and be used again. */
import { labelProblem } from '../lib/label.ts';
import { inSlices } from '../lib/slices.ts';
import type { StoredField, StoredModel } from '../model/definition.ts';
import { placeOf, type Draft } from './draft.ts';
import type { Problems } from './problems.ts';
import { below } from './shape.ts';

interface Named {
  readonly place: string;
  readonly text: string;
}

/** Adds a problem for each new name with invisible characters. In slices, as there can be hundreds of thousands of options. */
export async function checkNames(stored: StoredModel, draft: Draft, problems: Problems): Promise<void> {
  const known = new Set<string>();
  await inSlices(namesIn({ model: stored, places: new Map() }), (names) => {
    for (const { text } of names) known.add(text);
  });
  await inSlices(namesIn(draft), (names) => {
    const wrong = names.flatMap(({ place, text }) => {
      const problem = known.has(text) ? undefined : labelProblem(text);
      return problem === undefined ? [] : [{ place, problem }];
    });
    // A missing label is derived from the name, so only the first problem is reported.
    if (wrong[0]) problems.add(wrong[0].place, wrong[0].problem);
  });
}

/** The names of each part. */
function* namesIn(draft: Draft): Generator<readonly Named[]> {
  const { name, objects, pipelines, roles } = draft.model;
  yield [{ place: 'organization.name', text: name }];
  for (const object of objects) {
    const place = placeOf(draft, object.id, object.name);
    const { label, labelSingular } = object.definition;
    yield [
      { place: below(place, 'label'), text: label },
      { place: below(place, 'labelSingular'), text: labelSingular },
    ];
    for (const field of object.fields) yield* namesOfField(field, draft, `${object.name}.${field.name}`);
  }
  for (const item of [...pipelines, ...pipelines.flatMap(({ steps }) => steps), ...roles]) {
    yield [{ place: below(placeOf(draft, item.id, item.name), 'name'), text: item.name }];
  }
}

function* namesOfField({ id, definition }: StoredField, draft: Draft, name: string): Generator<readonly Named[]> {
  const place = placeOf(draft, id, name);
  const { label, options, junctionFields = [] } = definition;
  yield [{ place: below(place, 'label'), text: label }];
  for (const [index, option] of (options ?? []).entries()) {
    yield [
      { place: `${place}.options[${index}].value`, text: option.value },
      { place: `${place}.options[${index}].label`, text: option.label },
    ];
  }
  for (const part of junctionFields) yield* namesOfField(part, draft, `${name}.${part.name}`);
}
