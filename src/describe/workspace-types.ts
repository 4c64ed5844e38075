/** TypeScript types of a workspace: for each object the shapes for reading, creating and updating, and its option sets. */
import { mayKnow, type Policies } from '../access/policies.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import { hasRecords, type Model } from '../model/model.ts';
import { nameObjects, Names } from './names.ts';
import { recordSchemas } from './record-schemas.ts';
import { declaration } from './typescript.ts';

/** The module's text, without imports, as the owner of `visibility` sees the workspace; made in slices. */
export async function workspaceTypes(model: Model, visibility: Policies): Promise<string> {
  const objects = [...model.objects.values()].filter((object) => hasRecords(object) && mayKnow(object, visibility));
  const taken = new Names(['Objects', 'ObjectName']);
  const named = nameObjects(objects, taken);
  const declarations: string[] = [];
  const entries: string[] = [];
  for (const object of objects) {
    if (sliceIsOver()) await nextSlice();
    const name = named.get(object)?.singular ?? '';
    const { read, create, update, options } = recordSchemas(object, visibility, name, taken);
    for (const [option, schema] of Object.entries(options)) declarations.push(declaration(option, schema));
    declarations.push(declaration(name, read));
    declarations.push(declaration(`${name}Create`, create));
    declarations.push(declaration(`${name}Update`, update));
    entries.push(`  ${object.name}: { record: ${name}; create: ${name}Create; update: ${name}Update };\n`);
  }
  return [
    `/** The workspace of ${JSON.stringify(model.organizationName).replaceAll('*/', '*\\/')}, as \`kith types\` prints it. */\n`,
    ...declarations,
    `/** Every object by its name in paths. */\nexport interface Objects {\n${entries.join('')}}\n`,
    'export type ObjectName = keyof Objects;\n',
  ].join('\n');
}
