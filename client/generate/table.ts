/** Writes the module that the client reads at run time: what each method sends, and where. */
import type { Method } from './methods.ts';
import { generatedBy } from './types.ts';

/** The text of `generated/operations.js`. */
export function tableText(methods: readonly Method[]): string {
  const groups = [...Map.groupBy(methods, ({ group }) => group)].map(([group, all]) => {
    const lines = all.map((method) => `    ${method.name}: ${JSON.stringify(entryOf(method))},\n`);
    return `  ${group}: {\n${lines.join('')}  },\n`;
  });
  return `${generatedBy}\n\n/** @type {Record<string, Record<string, import('../outgoing.js').Operation>>} */\nexport const operations = {\n${groups.join('')}};\n`;
}

/** Members that few methods have are left out of the others. */
function entryOf({ route, body, query, takesKey, isSafe, isStream, download, seconds, paging }: Method): object {
  return {
    method: route.method,
    path: route.path,
    ...(body && { body: true }),
    ...(query && { query: true }),
    ...(isSafe && { isSafe }),
    ...(takesKey && { takesKey }),
    ...(isStream && { isStream }),
    ...(download && { download }),
    ...(route.operation.takesFile && { takesFile: true }),
    ...(paging && { paging }),
    seconds,
  };
}
