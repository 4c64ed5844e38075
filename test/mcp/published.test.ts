/** What agents, models and registries read of Kith before they connect, or when they do. */
import { expect, it } from 'vitest';
import { fixture } from '../http/fixture.ts';
import { instructions } from '../../src/mcp/instructions.ts';
import { promptList } from '../../src/mcp/prompts.ts';
import { resources, resourceTemplates } from '../../src/mcp/resources.ts';
import { tools } from '../../src/tools/tools.ts';
import { projectFiles, textOf } from '../architecture/project-files.ts';
import { tokensOf } from './tokens.ts';

const page = textOf('docs/agents.md');

const names = new Set(tools.map(({ name }) => name));

/** The names in the first cells of the table that begins so. */
const namesIn = (head: string) =>
  (page.slice(page.indexOf(head)).split('\n\n')[0] ?? '')
    .split('\n')
    .slice(2)
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name));

it('describes every tool, resource and prompt on its page, and no other', () => {
  const inOrder = (names: readonly (string | undefined)[]) => names.toSorted((a = '', b = '') => (a < b ? -1 : 1));
  expect(inOrder(namesIn('| tool | does |'))).toEqual(inOrder([...names]));
  expect(namesIn('| resource | is |')).toEqual([
    ...resources.map(({ uri }) => uri),
    ...resourceTemplates.map(({ uriTemplate }) => uriTemplate),
  ]);
  for (const { name } of promptList) expect(page).toContain(`\`${name}\``);
});

it('tells a model how to work here in at most 600 tokens, by names that there are', () => {
  expect(tokensOf(instructions)).toBeLessThanOrEqual(600);
  expect(promptList.length).toBeLessThanOrEqual(5);
  const texts = [instructions, textOf('src/mcp/prompts.ts')].join('\n');
  const named = new Set([...texts.matchAll(/\bcrm_[a-z_]+/g)].map(([name]) => name));
  expect([...named].filter((name) => !names.has(name))).toEqual([]);
});

it('tells a registry what the package says', () => {
  const server = JSON.parse(textOf('server.json'));
  const { mcpName, version } = JSON.parse(textOf('package.json'));
  expect(server).toMatchObject({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    version,
    remotes: [{ type: 'streamable-http', url: 'https://{host}/mcp' }],
  });
  expect(mcpName).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(server.description.length).toBeLessThanOrEqual(100);
  // No registry of packages has Kith yet: the name there could be somebody else's.
  expect(server).not.toHaveProperty('packages');
  const [{ headers }] = server.remotes;
  expect(headers).toContainEqual(expect.objectContaining({ name: 'Authorization', isSecret: true }));
});

it('lists its pages for models, and has all of them in one text', async () => {
  const { app } = fixture();
  const links = await app.inject('/llms.txt');
  expect(links.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(links.body.split('\n').length).toBeLessThan(80);
  const paths = [...links.body.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, path = '']) => path);
  const documents = projectFiles('docs/*.md', 'docs/r*/*.md').filter(
    (file) => !file.startsWith('docs/recipes/') && file !== 'docs/README.md',
  );
  expect(documents.filter((file) => !paths.includes(`/${file}`))).toEqual([]);
  for (const path of paths) expect((await app.inject(path)).statusCode, path).toBe(200);
  const everything = (await app.inject('/llms-full.txt')).body;
  for (const file of documents) expect(everything).toContain(`<!-- /${file} -->\n\n${textOf(file).split('\n', 1)[0]}`);
  const others = [...everything.matchAll(/\]\((?!https?:)(\/?[^)#\s]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => path);
  expect(others.length).toBeGreaterThan(20);
  for (const path of new Set(others)) expect((await app.inject(path)).statusCode, path).toBe(200);
  await app.close();
});
