/** What the pages for people look like: complete without script, of this service's own styles, in the colours of the reader. */
import { appHome, documentsPath, referencePath } from '../../lib/rest-prefix.ts';
import { html, type Html } from '../escaped.ts';
import { brand, pageHead, skip, themeButton } from '../page-head.ts';

/** Where the styles lie. */
export const stylesPath = '/signin/pages.css';

function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
  ${pageHead(title, stylesPath)}
  ${body}
</html>
`.text;
}

/** A page with one card in its middle: what comes before somebody is in. */
export function doorPage(title: string, content: Html, version: string): string {
  return page(
    title,
    html`<body class="door">
    ${skip}
    <header>${brand}${themeButton}</header>
    <main id="main" tabindex="-1"><div class="card">${content}</div></main>
    ${foot(version)}
  </body>`,
  );
}

/** The last line of a page that has no navigation. */
function foot(version: string, more?: Html): Html {
  return html`<footer><span>Kith ${version}</span><a href="${documentsPath}">Documentation</a><a href="${referencePath}">API reference</a>${more}</footer>`;
}

/** Who sees a page, and in which organization. */
export interface Reader {
  readonly name: string;
  readonly email: string;
  readonly workspaceUserId: string;
  readonly role: string;
  readonly organization: string;
  readonly currency: string;
  readonly timezone: string;
  readonly isAdmin: boolean;
  /** Whether the person works in other organizations, too. */
  readonly hasOthers: boolean;
  /** The objects of which the reader may see records, with the field by which those are called. */
  readonly displayFields: ReadonlyMap<string, string>;
}

/** A page without navigation under a head of its own; somebody is in where there is a reader. */
export function openPage(title: string, reader: Reader | undefined, content: Html, version: string): string {
  return page(
    title,
    html`<body class="first">
    ${skip}
    <header>
      ${brand}
      ${reader && html`<p class="where"><bdi>${reader.organization}</bdi></p>`}
      <nav aria-label="Pages"><a href="${referencePath}">API reference</a><a href="${documentsPath}">Documentation</a></nav>
      ${reader ? html`<a class="button" href="/settings">Settings</a><a class="button main" href="${appHome}">Open the workspace</a>` : html`<a class="button" href="/signin">Sign in</a>`}
      ${themeButton}
    </header>
    <main id="main" tabindex="-1">${content}</main>
    ${foot(version, reader && html`<span class="end"><bdi>${reader.name}</bdi>, <bdi>${reader.role}</bdi></span>${signOut}`)}
  </body>`,
  );
}

interface Setting {
  readonly href: string;
  readonly label: string;
  readonly group: 'You' | 'Access' | 'Organization';
  readonly isForAdmins?: true;
}

/** The pages of settings, as their navigation has them. */
const settings: readonly Setting[] = [
  { href: '/settings', label: 'Overview', group: 'You' },
  { href: '/settings/accounts', label: 'Mail and messages', group: 'You' },
  { href: '/settings/tokens', label: 'API tokens', group: 'Access' },
  { href: '/settings/apps', label: 'Connected apps', group: 'Access' },
  { href: '/settings/organization', label: 'General', group: 'Organization' },
  { href: '/settings/people', label: 'People', group: 'Organization' },
  { href: '/settings/roles', label: 'Roles', group: 'Organization' },
  { href: '/settings/audit', label: 'Audit', group: 'Organization', isForAdmins: true },
];

const signOut = html`<form method="post" action="/signout"><button class="bare">Sign out</button></form>`;

/** A page of the settings at `path`; on a phone `/settings` is the list of them. */
export function settingsPage(path: string, title: string, reader: Reader, content: Html): string {
  const { name, email, role, organization, isAdmin, hasOthers } = reader;
  const isList = path === '/settings';
  const shown = settings.filter(({ isForAdmins }) => isAdmin || !isForAdmins);
  const groups = Map.groupBy(shown, ({ group }) => group);
  return page(
    title,
    html`<body class="${isList ? 'settings list' : 'settings'}">
    ${skip}
    <header>
      ${brand}
      <p class="where"><bdi>${organization}</bdi></p>
      <nav aria-label="Pages"><a href="${appHome}">Workspace</a><a href="${referencePath}">API reference</a><a href="${documentsPath}">Documentation</a></nav>
      ${themeButton}
    </header>
    <nav aria-label="Settings">
      ${[...groups].map(([group, links]) => html`<h2>${group}</h2><ul>${links.map(linkTo(path))}</ul>`)}
      <div class="who">
        <p><strong><bdi>${name}</bdi></strong><br /><span class="dim"><bdi>${role}</bdi><br /><bdi>${email}</bdi></span></p>
        ${hasOthers ? html`<a href="/signin/organization">Another organization</a>` : undefined}
        ${signOut}
      </div>
    </nav>
    <main id="main" tabindex="-1">
      ${isList ? undefined : html`<p class="back"><a href="/settings">Settings</a></p>`}
      ${content}
    </main>
  </body>`,
  );
}

const linkTo =
  (path: string) =>
  ({ href, label }: Setting): Html =>
    html`<li><a href="${href}"${href === path ? html` aria-current="page"` : undefined}>${label}</a></li>`;

/** A labelled input; `hint` says what is meant. */
export function field(label: string, input: Html, hint?: string): Html {
  return html`<div class="field"><label>${label}${input}</label>${hint === undefined ? undefined : html`<p class="hint">${hint}</p>`}</div>`;
}

/** What went wrong, in words, where a reader of the screen hears it first. */
export function problem(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<p class="problem" role="alert">${text}</p>`;
}

/** What a form names whoever it was made for by. */
export const madeFor = 'made_for';

/** A form of a signed-in person: it counts for this person in this organization alone. `attributes` are further ones of its element. */
export function ownForm(
  reader: Pick<Reader, 'workspaceUserId'>,
  action: string,
  content: Html,
  attributes?: Html,
): Html {
  return html`<form method="post" action="${action}"${attributes}><input type="hidden" name="${madeFor}" value="${reader.workspaceUserId}" />${content}</form>`;
}

/** A choice of one; each option is what is sent, and what is shown. */
export function choiceOf(
  name: string,
  options: readonly (readonly [value: string, label: string])[],
  chosen: string,
  attributes?: Html,
): Html {
  const shown = options.map(
    ([value, label]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : undefined}>${label}</option>`,
  );
  return html`<select name="${name}"${attributes}>${shown}</select>`;
}
