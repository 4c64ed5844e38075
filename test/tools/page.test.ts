/** The page of the tools says of each what it takes, and shows a call that its operation takes. */
import { expect, it } from 'vitest';
import type { Json } from '../../src/lib/json.ts';
import { validInput } from '../../src/operations/door/valid-input.ts';
import { tools } from '../../src/tools/tools.ts';
import { textOf } from '../architecture/project-files.ts';

const page = textOf('docs/tools.md');
const partOf = (name: string) => page.split(/^## /m).find((part) => part.startsWith(`${name}\n`)) ?? '';
const namesIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name);

it('has a part for each tool, in their order', () => {
  expect([...page.matchAll(/^## (.+)$/gm)].map(([, name]) => name)).toEqual(tools.map(({ name }) => name));
});

it.each(tools)(
  'has what each action of $name needs and takes, and what it is for',
  ({ name, description, actions }) => {
    const rows = [...partOf(name).matchAll(/^\| `?(\w+)`? \|(.*)\|(.*)\|$/gm)].slice(1);
    expect(rows.map(([, action, needs = '', takes = '']) => [action, namesIn(needs), namesIn(takes)])).toEqual(
      [...actions].map(([action, { needs, takes }]) => [action, needs, takes]),
    );
    expect(partOf(name).replaceAll('\n', ' ')).toContain(description);
  },
);

it.each(tools)('shows a call of $name that is right', async (tool) => {
  const [, example = ''] = /^```json not run: .*\n([^]*?)^```$/m.exec(partOf(tool.name)) ?? [];
  let taken: unknown;
  await tool
    .run(
      {
        async perform(operation, input) {
          taken = validInput(operation, input());
          throw new Error('Nothing is done');
        },
      },
      JSON.parse(example) as Readonly<Record<string, Json>>,
    )
    .catch((error: Error) => {
      if (error.message !== 'Nothing is done') throw error;
    });
  expect(taken).toBeDefined();
});
