/** What agents are told of the tools, and how much of it there is to read. */
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { listedTools } from '../../src/mcp/kith.ts';
import { tools } from '../../src/tools/tools.ts';

/** As clients read them. */
const definitions = listedTools.map(({ annotations = {}, outputSchema = {}, ...rest }) => ({
  ...rest,
  annotations,
  outputSchema,
}));

describe('the definitions of the tools', () => {
  it('take less than 6,000 tokens together, counted by characters', () => {
    expect(JSON.stringify(definitions).length / 4).toBeLessThan(6_000);
  });

  it('say what FilterGroup is once', () => {
    expect(JSON.stringify(definitions).split('"$defs"')).toHaveLength(2);
  });

  it('are plain schemas of objects, with a title in Title Case and all hints', () => {
    for (const { name, title, inputSchema, outputSchema, annotations } of definitions) {
      expect(name).toMatch(/^crm_[a-z_]{3,40}$/);
      expect(title).toMatch(/^[A-Z][a-z]+( [A-Z][a-z]+)*$/);
      expect(inputSchema).toMatchObject({ type: 'object' });
      expect(outputSchema).toMatchObject({ type: 'object' });
      expect(Object.values(annotations).every((hint) => typeof hint === 'boolean')).toBe(true);
      expect(Object.keys(annotations)).toHaveLength(4);
      Compile(inputSchema);
      Compile(outputSchema);
    }
    expect(new Set(definitions.map(({ name }) => name)).size).toBe(definitions.length);
  });

  it('VERS-03: have the names that they were given, and no marker of a version', () => {
    const names = definitions.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'crm_aggregate_records',
        'crm_export_records',
        'crm_import_records',
        'crm_find_activity',
        'crm_find_events',
      ]),
    );
    expect(names.filter((name) => /\d|_v$/.test(name))).toEqual([]);
  });

  it('call read-only what performs reading operations alone, and open to the world what sends', () => {
    for (const { name, actions, annotations } of tools) {
      const effects = [...actions.values()].map(({ operation }) => operation.effect);
      expect([name, annotations.readOnlyHint]).toEqual([name, effects.every((effect) => effect === 'read')]);
      const overwrites = effects.includes('destructive') || name === 'crm_bulk';
      expect([name, annotations.destructiveHint]).toEqual([name, overwrites]);
      expect([name, annotations.openWorldHint]).toEqual([name, effects.includes('external')]);
    }
  });
});
