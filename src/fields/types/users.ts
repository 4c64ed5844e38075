/** USERS: the id of a workspace user. */
import type { FieldType } from '../field-type.ts';
import { reference } from '../reference.ts';

export const users: FieldType = {
  ...reference({
    target: () => 'user',
    display: (_field, id, scope) => scope.userDisplay(id),
  }),
  names: ['USERS'],
  mayBeUnique: true,
  target: () => 'user',
};
