/** What the pages for people look like: complete without script, of this service's own styles, in the colours of the reader. */
import { appHome, documentsPath, referencePath } from '../../lib/rest-prefix.ts';
import { html, type Html } from '../escaped.ts';
import { brand, pageHead, skip, themeButton } from '../page-head.ts';

/** Where the styles lie. */
export const stylesPath = '/signin/pages.css';

/** `script` is one that the page has beside that of the theme. */
function page(title: string, body: Html, script?: Html): string {
  return html`<!doctype html>
<html lang="en">
  ${pageHead(title, stylesPath, script)}
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
    html`<script src="${referencePath}/copy.js"></script>`,
  );
}

const signOut = html`<form method="post" action="/signout"><button class="bare">Sign out</button></form>`;

/** A labelled input. */
export function field(label: string, input: Html): Html {
  return html`<div class="field"><label>${label}${input}</label></div>`;
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
