/** [contract: Workspace manifest] Pulls, plans and applies the workspace's manifest. */
import { Type } from 'typebox';
import type { JsonObject } from '../../lib/json.ts';
import { applyManifest as apply, planManifest, defaultLockMs } from '../../manifest/apply.ts';
import { pullManifest as pull } from '../../manifest/pull.ts';
import { Component, describedAs } from '../../describe/annotations.ts';
import { defineOperation } from '../door/operation.ts';

export const pullManifest = defineOperation({
  id: 'manifest.pull',
  summary: 'The workspace as a manifest',
  input: Type.Object({}, { additionalProperties: false }),
  output: Component('Manifest'),
  effect: 'read',
  cost: 'global',
  adminOnly: 'Reading the manifest',
  run: (call) => pull(call),
});

export const applyManifest = defineOperation({
  id: 'manifest.apply',
  summary: 'Apply a manifest to the workspace',
  input: Type.Object(
    {
      manifest: Type.Unsafe<JsonObject>(Type.Object({}, describedAs(Component('Manifest')))),
      dry_run: Type.Optional(Type.Boolean({ description: 'Answer the changes without making them' })),
      allow_destroy: Type.Optional(Type.Boolean({ description: 'Also where rows lose values' })),
      allow_lock: Type.Optional(Type.Boolean({ description: 'Also where tables are locked for more than a second' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    changes: Type.Array(
      Type.Object(
        {
          action: Type.String({ examples: ['create'] }),
          kind: Type.String({ examples: ['field'] }),
          name: Type.String({ examples: ['contacts.nickname'] }),
        },
        { additionalProperties: true },
      ),
    ),
  }),
  effect: 'destructive',
  cost: 'expensive',
  adminOnly: 'Applying a manifest',
  async run(call, { manifest, dry_run: dryRun, allow_destroy: toDestroy = false, allow_lock: toLock = false }) {
    if (dryRun) return { changes: await planManifest(call, manifest) };
    return { changes: await apply(call, manifest, { toDestroy, lockMs: toLock ? Infinity : defaultLockMs }) };
  },
});
