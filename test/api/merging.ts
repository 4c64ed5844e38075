/** What tests of merges ask again and again. */
import type { Reply } from '../support/kith.ts';
import { create } from './records.ts';
import { admin } from './stage.ts';

/** The id of no record. */
export const nowhere = '01890000-0000-7000-8000-000000000000';

export const duplicates = (body: object, query = ''): Promise<Reply> => admin.post(`/duplicates${query}`, body);

export const merge = (object_name: string, master_id: string, duplicate_ids: readonly string[], more: object = {}) =>
  duplicates({ action: 'merge', object_name, master_id, duplicate_ids, ...more });

export const unmerge = (object_name: string, ...duplicate_ids: readonly string[]) =>
  duplicates({ action: 'unmerge', object_name, duplicate_ids });

export const record = async (object: string, id: string): Promise<Reply['json']> =>
  (await admin.get(`/records/${object}/${id}`)).json.record;

export const company = (values: object = {}) => create(admin, 'companies', { name: 'Acme', ...values });

export const contact = (values: object = {}) => create(admin, 'contacts', values);
