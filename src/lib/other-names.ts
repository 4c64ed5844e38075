/** Names of objects in other services. */
import { didYouMean } from './nearest.ts';
import { restPrefix } from './url-paths.ts';

const others: ReadonlyMap<string, readonly string[]> = new Map([
  ['contacts', ['people', 'persons', 'leads', 'prospects', 'candidates', 'members']],
  ['companies', ['accounts', 'organizations', 'organisations', 'orgs', 'businesses', 'firms', 'customers']],
  ['opportunities', ['deals', 'opps']],
]);

/** The end of a sentence that names the object of `known` that `name` probably means, or nothing. */
export function objectHint(name: string, known: readonly string[]): string {
  const wanted = name.toLowerCase();
  if (/^users?$/.test(wanted)) return `: users are at GET ${restPrefix}/users`;
  const here = known.find((object) => others.get(object)?.some((other) => other === wanted || other === `${wanted}s`));
  return here === undefined ? didYouMean(name, known) : `: here it is ${here}`;
}
