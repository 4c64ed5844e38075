/** The reserved keys beside records. [spec: Records, Import] `records/list-entries.ts` says what is wrong with them. */
import { Type } from 'typebox';

export const ListKeyInput = {
  add_to_list_ids: Type.Optional(Type.Unknown({ description: 'Ids of lists to add the records to' })),
  create_list_name: Type.Optional(Type.Unknown({ description: 'Name of a new list for the records (admin)' })),
};
