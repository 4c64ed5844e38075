/** Checks a whole workspace: references, values and dependencies. */
import { buildModel } from '../model/build.ts';
import type { OrganizationRef } from '../model/definition.ts';
import { nextSlice } from '../lib/slices.ts';
import type { Model } from '../model/model.ts';
import { checkComputed } from './check-computed.ts';
import { checkFields } from './check-fields.ts';
import { checkObjects } from './check-objects.ts';
import { checkPipelines } from './check-pipelines.ts';
import { checkRoles } from './check-roles.ts';
import { checkSizes } from './check-sizes.ts';
import { checkValues } from './check-values.ts';
import type { Draft } from './draft.ts';
import type { Problems } from './problems.ts';

/** The model of the draft. Throws VALIDATION_ERROR with all mistakes; those that prevent a model come first. */
export async function checkedModel(organization: OrganizationRef, draft: Draft, problems: Problems): Promise<Model> {
  checkObjects(draft, problems);
  await nextSlice();
  checkFields(draft, problems);
  await nextSlice();
  problems.refuse();
  const model = buildModel(organization, draft.model);
  await nextSlice();
  await checkComputed(model, draft, problems);
  problems.refuse();
  await checkValues(model, draft, problems);
  await nextSlice();
  await checkPipelines(model, draft, problems);
  await nextSlice();
  await checkRoles(model, draft, problems);
  await nextSlice();
  await checkSizes(model, draft, problems);
  problems.refuse();
  return model;
}
