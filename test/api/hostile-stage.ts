/** What hostile requests are sent to: an organization with one contact, and nothing else may be left in it. */
import { beforeEach, expect } from 'vitest';
import { traces } from '../support/hostile.ts';
import { admin, kith, organization, useStage } from './stage.ts';

/** Id of the contact, set once the tests run. */
export let contact: string;
let before: readonly (string | null)[];

export function useHostileStage(): void {
  useStage(async () => {
    contact = (await admin.post('/records/contacts', { first_name: 'Anna', emails: ['anna@kith.test'] })).json.id;
  });
  beforeEach(async () => {
    before = await traces(kith, organization);
  });
}

/** Since the test began. */
export async function expectNothingWritten(): Promise<void> {
  expect(await traces(kith, organization)).toEqual(before);
  expect((await admin.get(`/records/contacts/${contact}`)).json.record.first_name).toBe('Anna');
}
