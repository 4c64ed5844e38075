/** Sanitizes HTML and extracts its plain text. Long HTML is cleaned in a worker thread: `html-aside.ts`. */
import { createRequire } from 'node:module';
import type sanitizeHtml from 'sanitize-html';
import { FieldProblem } from './field-problem.ts';

const maxOpen = 1_000;
/** A tag takes some microseconds; a mail of 200 KB has five thousand. */
const maxTags = 100_000;

export interface CleanHtml {
  readonly html: string;
  readonly text: string;
}

/** The HTML without anything that loads, runs or covers. Throws FieldProblem for too many tags. */
export function cleanHtml(given: string): CleanHtml {
  refuseFloodOfTags(given);
  const html = clean(given);
  return { html, text: plainText(html) };
}

function refuseFloodOfTags(html: string): void {
  let tags = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) tags++;
  if (tags > maxTags) throw new FieldProblem(`must have at most ${maxTags.toLocaleString('en')} tags`);
}

/** Text markup, and nothing that loads, runs or covers: no images, styles, forms or frames. */
const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'div', 'span', 'blockquote', 'pre', 'code', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    ...['a', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'mark', 'small', 'sub', 'sup'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href', 'title'], ol: ['start'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nestingLimit: 100,
  // Elements whose content is not text of the page.
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'template',
    'title',
    'xmp',
    'iframe',
    'noframes',
    'noembed',
  ],
};

const require = createRequire(import.meta.url);
let sanitizer: typeof sanitizeHtml | undefined;

/** Inside these elements, tags nest by other rules: without them, the same tags form another tree. */
const foreign = /<(?:svg|math)/i;

/** Idempotent: cleaned HTML stays as it is. */
function clean(html: string): string {
  const cleaned = sanitized(html);
  return foreign.test(html) ? sanitized(cleaned) : cleaned;
}

function sanitized(html: string): string {
  // Loaded on first use: most commands and many organizations have no rich text, and loading takes 50 ms.
  sanitizer ??= require('sanitize-html') as typeof sanitizeHtml;
  let open = 0;
  return sanitizer(html, {
    ...allowed,
    // The parser walks all open elements at each tag: 100,000 of them took 6 s, and real documents nest little.
    onOpenTag() {
      open += 1;
      if (open > maxOpen)
        throw new FieldProblem(`must close its tags: more than ${maxOpen.toLocaleString('en')} stand open`);
    },
    onCloseTag() {
      open -= 1;
    },
  });
}

const lineBreaks = /<\/?(?:p|div|blockquote|pre|h[1-6]|li|dt|dd|tr|caption)\b[^>]*>|<[bh]r \/>/g;
const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/**
 * The text of cleaned HTML, one line per block. The cleaner escapes `<` and `>` even in attributes, and leaves four
 * entities.
 */
export function plainText(html: string): string {
  const lines = html
    .replace(/[\s\u00a0]+/g, ' ')
    .replace(lineBreaks, '\n')
    .replace(/<\/t[hd]>/g, ' ');
  const text = lines.replace(/<[^>]*>/g, '').replace(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity);
  return text
    .replace(/ +/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}
