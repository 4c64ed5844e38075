/** The common start of pages: head, skip link, wordmark, theme button. */
import { referencePath } from '../lib/url-paths.ts';
import { html, type Html } from './escaped.ts';

/** The content security policy of a page: own resources only, nothing inline, no framing. `more` adds directives. */
export function pagePolicy(...more: readonly string[]): string {
  const own = ['script-src', 'style-src', 'img-src', 'font-src'].map((what) => `${what} 'self'`);
  return ["default-src 'none'", ...own, "base-uri 'none'", "frame-ancestors 'none'", ...more].join('; ');
}

/** The head of a page with the stylesheet `styles`; `more` comes last. */
export function pageHead(title: string, styles: string, more?: Html): Html {
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title === '' ? 'Kith' : `${title} · Kith`}</title>
    <link rel="icon" href="${referencePath}/mark.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${referencePath}/theme.css" />
    <link rel="stylesheet" href="${referencePath}/base.css" />
    <link rel="stylesheet" href="${styles}" />
    <script src="${referencePath}/theme.js"></script>
    ${more}
  </head>`;
}

/** The first link of every page. */
export const skip = html`<a class="skip" href="#main">Skip to content</a>`;

const mark = html`<g class="mark"><path d="M4 1.5v13M4.3 8.6l6.2-4.1M4.3 8.6l6.2 4"/><circle cx="12" cy="3.5" r="1.75"/><circle cx="12" cy="13" r="1.75"/></g>`;
const word = html`<path class="word" d="M21.62 13H23.42V9.72L24.46 8.6L27.58 13H29.76L25.66 7.35L29.46 3.22H27.18L23.42 7.38V3.22H21.62ZM30.22 13H31.96V5.99H30.22ZM31.09 4.91C31.64 4.91 32.1 4.47 32.1 3.94C32.1 3.4 31.64 2.96 31.09 2.96C30.53 2.96 30.08 3.4 30.08 3.94C30.08 4.47 30.53 4.91 31.09 4.91ZM35.75 13.03C36.19 13.03 36.51 13.01 36.7 12.99L36.59 11.59C36.49 11.61 36.31 11.62 36.11 11.62C35.65 11.62 35.32 11.51 35.32 10.82V7.37H36.66V5.99H35.32V4.25H33.59V5.99H32.59V7.37H33.59V11.11C33.59 12.46 34.48 13.03 35.75 13.03ZM39.32 8.88C39.32 7.75 40.02 7.22 40.89 7.22C41.79 7.22 42.35 7.77 42.35 8.78V13H44.07V8.52C44.07 6.75 42.95 5.76 41.47 5.76C40.38 5.76 39.65 6.31 39.33 7.1H39.28V3.22H37.59V13H39.32Z"/>`;

/** The wordmark, a link to the first page. */
export const brand = html`<a class="brand" href="/" aria-label="Kith"><svg class="wordmark" viewBox="0 0 44.6 16" aria-hidden="true">${mark}${word}</svg></a>`;

/** Switches between light and dark; hidden until its script runs. */
export const themeButton = html`<button class="theme" type="button" aria-label="Change theme" hidden><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="2.75"/><path d="M8 1.75v1M8 13.25v1M1.75 8h1M13.25 8h1M3.6 3.6l.7.7M11.7 11.7l.7.7M12.4 3.6l-.7.7M4.3 11.7l-.7.7"/></svg></button>`;
