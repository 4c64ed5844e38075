/** The reserved keys beside records. [spec: Records, Import] `records/list-entries.ts` says what is wrong with them. */
import { Type } from 'typebox';
import { Lenient } from '../describe/annotations.ts';

export const ListKeyInput = {
  add_to_list_ids: Type.Optional(
    Lenient(Type.Array(Type.String({ format: 'uuid' })), 'Ids of lists to add the records to'),
  ),
  create_list_name: Type.Optional(
    Lenient(Type.String({ maxLength: 200 }), 'Name of a new list for the records (admin)'),
  ),
};
