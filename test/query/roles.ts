/** Random roles over the world, and what each sees of it by the model in memory. */
import type { FilterGroup } from '../../src/model/model.ts';
import type { Visibility } from '../../src/query/context.ts';
import { matches } from './oracle.ts';
import { randomGroup } from './queries.ts';
import type { Random } from './random.ts';
import { companyFields, thingFields, type Stored, type World } from './world.ts';

/** Who asks, in both languages. */
export interface Role {
  readonly rule: 'all' | FilterGroup;
  readonly companyRule: 'all' | 'none' | FilterGroup;
  readonly hidden: ReadonlySet<string>;
}

export function randomRole(random: Random, world: World): Role {
  if (random.chance(0.4)) return { rule: 'all', companyRule: 'all', hidden: new Set() };
  const none = new Set<string>();
  const companyRule: FilterGroup = { type: 'OR', conditions: [{ field: 'size', operator: 'less_than', value: 3 }] };
  return {
    rule: random.chance(0.5)
      ? 'all'
      : { type: 'OR', conditions: [randomGroup(random, world, none), randomGroup(random, world, none)] },
    companyRule: random.pick(['all', companyRule] as const),
    hidden: new Set(random.some(['secret', 'note', 'size', 'emails', 'phase'], 3)),
  };
}

export function visibilityOf(role: Role): Visibility {
  return {
    rows: (name) => (name === 'things' ? role.rule : role.companyRule),
    shows: (name, field) => name !== 'things' || !role.hidden.has(field),
  };
}

/** What the model in memory says a role sees. */
export function seenBy(role: Role, world: World) {
  const byId = new Map(world.companies.map((company) => [company.id, company]));
  const any = (id: unknown) => byId.get(String(id));
  const alive = (id: unknown) => (any(id)?.deleted ? undefined : any(id));
  const visible = (id: unknown) => {
    const company = alive(id);
    if (!company || role.companyRule === 'all') return company;
    return role.companyRule !== 'none' && matches(role.companyRule, company, companyFields, any) ? company : undefined;
  };
  /** Paths see what the caller may see; links are there whatever they lead to. */
  const callers = (group: FilterGroup, row: Stored) => matches(group, row, thingFields, visible);
  const things = world.things.filter(
    (thing) => !thing.deleted && (role.rule === 'all' || matches(role.rule, thing, thingFields, alive)),
  );
  return { things, callers, visible, alive };
}
