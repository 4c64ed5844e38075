/** A request without a body: what has to be said is asked for, and what has a usual is taken as said. */
import { expect, it } from 'vitest';
import { routes } from '../../src/http/routes.ts';
import { admin, useStage } from './stage.ts';

useStage(async () => {});

const nobody = '0190f6c1-0000-7000-8000-000000000000';
const places = routes.filter(({ body }) => body !== undefined);
const pathOf = (path: string) => path.replace(':object', 'contacts').replaceAll(/:\w+/g, nobody);

it('is told what it lacks, or that there is nothing to do it to', async () => {
  const answers: string[] = [];
  for (const { method, path } of places) {
    const { json } = await admin.send(`/api/v1${pathOf(path)}`, { method });
    answers.push(`${method} ${path}: ${json.code} ${json.message}`);
  }
  expect(answers.join('\n').replaceAll(nobody, 'ID')).toMatchInlineSnapshot();
});
