/** Words what a role allows, for the consent page. */
import { html, type Html } from '../escaped.ts';
import { soMany } from '../../lib/so-many.ts';

interface Permissions {
  readonly isAdmin: boolean;
  readonly objects: Readonly<Record<string, Rights>>;
}

type Extent = 'all' | 'some' | 'none';

interface Rights {
  readonly view: Extent;
  readonly create: boolean;
  readonly update: Extent;
  readonly delete: Extent;
}

/** The most kinds of records to name. */
const most = 8;

/** List items: what the app may do, and what not. */
export function whatItMayDo({ isAdmin, objects }: Permissions): readonly Html[] {
  if (isAdmin) {
    return [
      html`<li>See, create, change and delete <strong>all records</strong>: you are an administrator</li>`,
      html`<li>Import, export and merge, and change what the workspace is made of</li>`,
      html`<li>Read your conversations, and send messages from your accounts</li>`,
      html`<li class="dim">Not: make tokens, invite or change people, allow other apps</li>`,
    ];
  }
  const all = Object.entries(objects);
  const named = (has: (rights: Rights) => boolean) => all.filter(([, rights]) => has(rights)).map(([name]) => name);
  const line = (verb: string, extent: (rights: Rights) => Extent) =>
    item(verb, [
      [`all ${listed(named((rights) => extent(rights) === 'all'))}`, named((rights) => extent(rights) === 'all')],
      [`some ${listed(named((rights) => extent(rights) === 'some'))}`, named((rights) => extent(rights) === 'some')],
    ]);
  const created = named(({ create }) => create);
  return [
    ...line('See', ({ view }) => view),
    ...item('Create', [[listed(created), created]]),
    ...line('Change', ({ update }) => update),
    ...line('Delete', ({ delete: deleted }) => deleted),
    html`<li>Read your conversations, and send messages from your accounts</li>`,
    html`<li class="dim">Not: import, export, merge, change the workspace, make tokens, allow other apps</li>`,
  ];
}

/** An item, if there is anything to name. */
function item(verb: string, parts: readonly (readonly [string, readonly string[]])[]): readonly Html[] {
  const texts = parts.filter(([, names]) => names.length > 0).map(([text]) => text);
  return texts.length === 0 ? [] : [html`<li>${verb} <bdi>${texts.join('; and ')}</bdi></li>`];
}

function listed(names: readonly string[]): string {
  const more = names.length - most;
  const shown =
    more > 0 ? [...names.slice(0, most), soMany(more, 'more kind of records', 'more kinds of records')] : names;
  const last = shown.at(-1) ?? '';
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${last}` : last;
}
