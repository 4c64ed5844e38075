/** What a write leaves beside the record is left in one place: another one would forget a part of it. */
import { expect, it } from 'vitest';
import { projectFiles, textOf } from './project-files.ts';

const leave = 'src/records/writing/leave.ts';

/** Who else may raise versions, and why. */
const raising: Record<string, string> = {
  'src/records/writing/purge.ts': 'those of several objects, once each at the end of its transaction',
  'src/manifest/apply.ts': 'the model is another',
  'src/manifest/settle.ts': 'search texts are others',
  'src/records/conversations/thread-texts.ts': 'threads are found by other words',
  'src/provision/users.ts': 'records show the names of people',
  'src/doctor/totals.ts': 'repairs what it has counted',
};

const code = projectFiles('src/**/*.ts').filter((path) => !path.startsWith('src/provision/migrations/'));

it('writes history there alone; a purge empties it', () => {
  const writers = code.filter((path) => /insert into[^;]{0,60}['.]_history/.test(textOf(path)));
  expect(writers).toEqual([leave]);
  const changers = code.filter((path) => /(update|delete from)[^;]{0,60}['.]_history/.test(textOf(path)));
  expect(changers).toEqual([]);
});

it('raises versions there, and where nothing of a record changes', () => {
  const raisers = code.filter((path) => /\braise(State|Versions)\b/.test(textOf(path)));
  expect(raisers.toSorted()).toEqual(['src/model/state.ts', leave, ...Object.keys(raising)].toSorted());
});
