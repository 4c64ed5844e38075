/** What the pages for people look like: without script, of this service's own styles, in the colours of the reader. */
import { documentsPath, referencePath } from '../../lib/rest-prefix.ts';
import { html, type Html } from '../escaped.ts';

/** Where the styles lie. */
export const stylesPath = '/signin/pages.css';

/** Nothing from elsewhere, no script, in no frame; forms go to this service. */
export const pagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · Kith</title>
    <link rel="icon" href="${referencePath}/mark.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${referencePath}/theme.css" />
    <link rel="stylesheet" href="${stylesPath}" />
  </head>
  ${body}
</html>
`.text;
}

const brand = html`<a class="brand" href="/"><img src="${referencePath}/mark.svg" width="18" height="18" alt="" />Kith</a>`;
const skip = html`<a class="skip" href="#main">Skip to content</a>`;

/** A page with one card in its middle: what comes before somebody is in. */
export function doorPage(title: string, content: Html, version: string): string {
  return page(
    title,
    html`<body class="door">
    ${skip}
    <header>${brand}</header>
    <main id="main" tabindex="-1"><div class="card">${content}</div></main>
    <footer><span>Kith ${version}</span><a href="${documentsPath}">Documentation</a><a href="${referencePath}">API reference</a></footer>
  </body>`,
  );
}

/** Who sees a page of settings, and in which organization. */
export interface Reader {
  readonly name: string;
  readonly email: string;
  readonly organization: string;
  readonly isAdmin: boolean;
  readonly hasOthers: boolean;
}

const settings = [
  ['/settings/tokens', 'API tokens'],
  ['/settings/people', 'People'],
] as const;

/** A page of the settings at `path`. */
export function settingsPage(path: string, title: string, reader: Reader, content: Html): string {
  const { name, email, organization, isAdmin, hasOthers } = reader;
  const links = settings.map(
    ([href, label]) =>
      html`<li><a href="${href}"${href === path ? html` aria-current="page"` : undefined}>${label}</a></li>`,
  );
  return page(
    title,
    html`<body class="settings">
    ${skip}
    <header>
      ${brand}
      <p class="where"><bdi>${organization}</bdi></p>
      <div class="who"><bdi>${name}</bdi> <span class="dim"><bdi>${email}</bdi>${isAdmin ? ', administrator' : undefined}</span></div>
    </header>
    <nav aria-label="Settings">
      <ul>${links}</ul>
      <ul>
        ${hasOthers ? html`<li><a href="/signin/organization">Another organization</a></li>` : undefined}
        <li><a href="${referencePath}">API reference</a></li>
        <li><form method="post" action="/signout"><button class="bare">Sign out</button></form></li>
        <li><form method="post" action="/signout"><button class="bare" name="everywhere" value="yes">Sign out everywhere</button></form></li>
      </ul>
    </nav>
    <main id="main" tabindex="-1">${content}</main>
  </body>`,
  );
}

/** A labelled input; `value` is what was typed before. */
export function field(label: string, input: Html, hint?: string): Html {
  return html`<div class="field"><label>${label}${input}</label>${hint === undefined ? undefined : html`<p class="hint">${hint}</p>`}</div>`;
}

/** What went wrong, in words, where a reader of the screen hears it first. */
export function problem(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<p class="problem" role="alert">${text}</p>`;
}
