/** The page of the built-in objects has what every organization begins with, and nothing else. */
import { expect, it } from 'vitest';
import type { BuiltInField } from '../../src/model/built-in-objects.ts';
import { builtInModel, builtInObjects } from '../../src/model/built-ins.ts';
import { textOf } from '../architecture/project-files.ts';

const page = textOf('docs/rest/built-in-objects.md');

/** Internal ones are no concern of who reads and writes records. */
const told = (objects: ReturnType<typeof builtInModel>['objects']) =>
  objects.filter(({ definition }) => definition.kind !== 'internal').map(({ name }) => name);

it('has a part for each object', () => {
  const model = builtInModel({ name: 'Test', currency: 'USD', timezone: 'UTC' });
  expect([...page.matchAll(/^## (.+)$/gm)].map(([, name]) => name)).toEqual(told(model.objects));
});

it.each(builtInObjects.filter(({ kind }) => kind !== 'internal'))(
  'has every field of $name, with its type and rules',
  (object) => {
    const part = page.split(/^## /m).find((text) => text.startsWith(`${object.name}\n`)) ?? '';
    const rows = [...part.matchAll(/^\| `(\w+)` \|(.*)\|(.*)\|(.*)\|(.*)\|$/gm)].map(
      ([, name, label = '', type = '', meaning = '', rules = '']) =>
        [name, label.trim(), type.trim(), meaning.trim() !== '', rules.trim()] as const,
    );
    expect(rows).toEqual(object.fields.map((field) => [field.name, field.label, typeOf(field), true, rulesOf(field)]));
    expect(part).toContain(`\`${object.displayField}\` is the display field`);
    const told = [...part.matchAll(/^`(\w+)` takes ([^]*?)\.$/gm)].map(([, name, options = '']) => [
      name,
      [...options.matchAll(/`(\w+)`/g)].map(([, option]) => option),
    ]);
    const withOptions = object.fields.filter(({ options }) => options !== undefined);
    expect(told).toEqual(withOptions.map(({ name, options }) => [name, options?.map(({ value }) => value)]));
    for (const { name, type } of object.fields.flatMap(({ junctionFields = [] }) => junctionFields)) {
      expect(part).toContain(`Each link has a \`${name}\`, a ${type}`);
    }
  },
);

it('has the steps of the pipeline', () => {
  const model = builtInModel({ name: 'Test', currency: 'USD', timezone: 'UTC' });
  const told = /^The pipeline [^]*?\n\n?$/m.exec(page)?.[0] ?? '';
  expect(model.pipelines.map(({ name }) => name)).toEqual([/is called (\w+)\./.exec(told)?.[1]]);
  const names = model.pipelines.flatMap(({ steps }) => steps.map(({ name }) => name));
  expect(told.match(new RegExp(names.join('|'), 'g'))).toEqual(names);
});

function typeOf({ type, relationConfig }: BuiltInField): string {
  return relationConfig === undefined ? type : `${type} to \`${relationConfig.targetObjectName}\``;
}

function rulesOf(field: BuiltInField): string {
  const { isRequired, isUnique, isHidden, isSearchable, isReadonly, defaultValue } = field;
  const rules = Object.entries({
    required: isRequired,
    unique: isUnique,
    hidden: isHidden,
    searchable: isSearchable,
    'read-only': isReadonly,
    [`default \`${JSON.stringify(defaultValue)}\``]: defaultValue !== undefined,
  });
  return rules.flatMap(([rule, holds]) => (holds === true ? [rule] : [])).join(', ');
}
