/** Workspace settings: the organization's name, currency, time zone and the like. */
import { Type } from 'typebox';
import { currencyProblem, timeZoneProblem } from '../../lib/standards.ts';
import { applyManifest, defaultLockMs } from '../../manifest/apply.ts';
import { nameProblem, refuseProblems } from '../../provision/checks.ts';
import { defineOperation } from '../door/operation.ts';

const Settings = {
  organization: Type.String({ description: 'What the organization is called' }),
  currency: Type.String({ description: 'What an amount without a currency is in: a code of ISO 4217' }),
  timezone: Type.String({ description: 'Where a day begins: a time zone of the IANA database' }),
};

export const updateWorkspace = defineOperation({
  id: 'workspace.update',
  summary: "Change the organization's name, currency or time zone; absent keys stay unchanged",
  input: Type.Partial(Type.Object(Settings), { additionalProperties: false }),
  output: Type.Object(Settings),
  effect: 'write',
  cost: 'expensive',
  isPartial: true,
  adminOnly: 'Changing the organization',
  async run(call, { organization: name, currency, timezone }) {
    const { model, workspace } = call;
    refuseProblems({
      organization: name === undefined ? undefined : nameProblem(name.trim()),
      currency: currency === undefined ? undefined : currencyProblem(currency),
      timezone: timezone === undefined ? undefined : timeZoneProblem(timezone),
    });
    const given = {
      ...(name !== undefined && { name: name.trim() }),
      ...(currency !== undefined && { currency }),
      ...(timezone !== undefined && { timezone }),
    };
    // From here on the call has the newest model, which supplies the values that are not given.
    await workspace.read();
    // These settings lose no data and lock no table, as in a manifest.
    await applyManifest(call, { organization: given }, { toDestroy: false, lockMs: defaultLockMs });
    return {
      organization: given.name ?? model.organizationName,
      currency: currency ?? model.currency,
      timezone: timezone ?? model.timeZone,
    };
  },
});
