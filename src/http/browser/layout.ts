/** The layout of pages for people: works without script, with local styles and the reader's colour scheme. */
import { appHome, documentsPath, referencePath } from '../../lib/url-paths.ts';
import { html, type Html } from '../escaped.ts';
import { brand, pageHead, skip, themeButton } from '../page-head.ts';

/** The path of the styles. */
export const stylesPath = '/signin/pages.css';

/** `script` is loaded besides that of the theme. */
function page(title: string, body: Html, script?: Html): string {
  return html`<!doctype html>
<html lang="en">
  ${pageHead(title, stylesPath, script)}
  ${body}
</html>
`.text;
}

/** A page with one centred card, for readers who are not signed in. */
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

/** The footer of a page without navigation. */
function foot(version: string, more?: Html): Html {
  return html`<footer><span>Kith ${version}</span><a href="${documentsPath}">Documentation</a><a href="${referencePath}">API reference</a>${more}</footer>`;
}

/** The signed-in reader of a page and the organization. */
export interface Reader {
  readonly name: string;
  readonly email: string;
  readonly workspaceUserId: string;
  readonly role: string;
  readonly organization: string;
  /** Whether the person is a user of other organizations, too. */
  readonly hasOthers: boolean;
  /** The display field by object, for objects whose records the reader may see. */
  readonly displayFields: ReadonlyMap<string, string>;
}

/** A page without navigation, with the reader in its header if signed in. */
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

/** An error message, announced to screen readers. */
export function problem(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<p class="problem" role="alert">${text}</p>`;
}

/** The form field that names the user for whom the form was made. */
export const madeFor = 'made_for';

/** A form that is only valid for this user, and so for this organization. `attributes` are further ones of its element. */
export function ownForm(
  reader: Pick<Reader, 'workspaceUserId'>,
  action: string,
  content: Html,
  attributes?: Html,
): Html {
  return html`<form method="post" action="${action}"${attributes}><input type="hidden" name="${madeFor}" value="${reader.workspaceUserId}" />${content}</form>`;
}
