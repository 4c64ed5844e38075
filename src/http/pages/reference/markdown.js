/** An operation as Markdown, for notes and for agents. */
import { limitText, typeText } from './schema.js';

/** The page's content for the operation, with the form's request as `curl`. */
export function markdownOf(operation, curl, resolve) {
  const { title, method, path, summary, description, parameters, body } = operation;
  const rows = parameters.map((parameter) => parameterRow(parameter, resolve));
  const keys = Object.entries(resolve(body?.schema)?.properties ?? {}).map(([name, schema]) =>
    parameterRow({ name, in: 'body', schema, description: resolve(schema).description }, resolve),
  );
  return [
    `# ${title}`,
    `\`${method} ${path}\``,
    `${summary}.`,
    description,
    ...(rows.length + keys.length > 0
      ? [['| name | in | type | |', '|---|---|---|---|', ...rows, ...keys].join('\n')]
      : []),
    `\`\`\`sh\n${curl}\n\`\`\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function parameterRow({ name, in: place, schema = {}, description = '', required }, resolve) {
  const type = [typeText(schema, resolve), limitText(schema, resolve)].filter(Boolean).join(', ');
  const [lead = ''] = description.split('\n\n');
  const cells = [`\`${name}\``, place, type, `${required ? 'Required. ' : ''}${lead}`];
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')).join(' | ')} |`;
}
