/** The quick start: the reader, first calls by client, shell and agent, and links to the operations on each object. */
import { beginning } from './client-call.js';
import { copyButton, el } from './dom.js';
import { linkTo } from './place.js';

/** Shows the page; without a token, the reader has a session. */
export function showQuickStart({ groups, operations }, { token, me }) {
  const ofObjects = [...groups].filter(([, [first]]) => first.isOfObject);
  const lists = ofObjects.flatMap(([label, members]) => {
    const list = members.find(
      ({ id, path, method }) => method === 'GET' && !path.includes('{') && id.startsWith('list'),
    );
    return list ? [{ label, list, count: members.length }] : [];
  });
  const path = lists[0]?.list.path ?? '/api/v1/me';
  return el(
    'article',
    { class: 'start' },
    el('h1', { tabindex: '-1' }, 'Quick start'),
    el(
      'p',
      { class: 'made' },
      'Made for ',
      el('strong', {}, el('bdi', {}, me.profile?.name ?? 'the owner of this token')),
      me.isAdmin ? ', who is an administrator: ' : ': ',
      `${ofObjects.length.toLocaleString('en')} objects and ${operations.length.toLocaleString('en')} operations, as the role allows.`,
    ),
    el('h2', {}, '1. A token'),
    el(
      'p',
      {},
      token === undefined
        ? 'A program needs one of its own: make it under '
        : 'You have given one. Each program gets its own, under ',
      el('a', { href: '/settings/tokens' }, 'API tokens'),
      ', and is told it by its environment:',
    ),
    codeOf('Shell', 'export KITH_TOKEN=svc_…'),
    el('h2', {}, '2. A first call'),
    el(
      'p',
      {},
      'The client has to be ',
      el('a', { href: '/docs/client#install' }, 'installed'),
      ' first; the other two need nothing.',
    ),
    codeOf('curl', curlOf(path)),
    codeOf('Client', `${beginning(location.origin)}\n\n${callOf(path)}`),
    codeOf('An agent, over MCP', agentOf()),
    el('h2', {}, '3. Every other operation'),
    el(
      'p',
      {},
      'Each operation has a form here, and shows what it sends as a line for the shell, as a call of the client and as a call of a tool. What writes is tried first, until you take ',
      el('code', {}, 'dry_run'),
      ' away. ',
      el('kbd', {}, '/'),
      ' finds an operation or a field.',
    ),
    el('ul', { class: 'objects' }, lists.map(objectItem)),
  );
}

function objectItem({ label, list, count }) {
  return el(
    'li',
    {},
    el('a', linkTo(list), el('bdi', {}, label)),
    el('code', {}, list.path),
    el('span', { class: 'hint' }, `${count} operations`),
  );
}

function curlOf(path) {
  return [
    `curl -G '${location.origin}${path}'`,
    '-H "Authorization: Bearer $KITH_TOKEN"',
    '-d limit=3 -d pretty=true',
  ].join(' \\\n  ');
}

function callOf(path) {
  const [, object] = /^\/api\/v1\/records\/(\w+)$/.exec(path) ?? [];
  return object === undefined
    ? 'console.log(await kith.me.get());'
    : `const { data, total } = await kith.records.list('${object}', { limit: 3 });`;
}

function agentOf() {
  return [
    `claude mcp add --transport http kith ${location.origin}/mcp`,
    '--header "Authorization: Bearer $KITH_TOKEN"',
  ].join(' \\\n  ');
}

/** A code block named `label` with a copy button. */
function codeOf(label, text) {
  const pane = el('pre', { tabindex: '0', role: 'region', 'aria-label': label }, text);
  return el(
    'div',
    { class: 'code' },
    el(
      'header',
      {},
      el('strong', {}, label),
      el('span', { class: 'gap' }),
      copyButton(() => text, pane),
    ),
    pane,
  );
}
