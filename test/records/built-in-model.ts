/** The built-in objects as a new organization has them. */
import { buildModel } from '../../src/model/build.ts';
import { builtInModel as stored } from '../../src/model/built-ins.ts';

export const builtInModel = buildModel(
  { id: '01a201d8-7cc4-7031-9a2c-41c63f8631de', schema: 'org_x' },
  stored({ name: 'Acme', currency: 'USD', timezone: 'UTC' }),
);
