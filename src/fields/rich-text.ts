/**
 * RICH_TEXT: HTML, cleaned when it is written, and beside it its plain text, which filters, sorts and searches see.
 * Its emptiness is that of the text: `<p><br></p>` is empty, though not null.
 */
import { aggregates } from './aggregates.ts';
import { createRequire } from 'node:module';
import type sanitizeHtml from 'sanitize-html';
import { FieldProblem } from './field-problem.ts';
import type { FieldType } from './field-type.ts';
import { valueSchema } from './json-schema.ts';
import { reading, textMember } from './members.ts';
import { columnOf, textOperand } from './operands.ts';
import { operatorsOf } from './operators/by-kind.ts';
import { decodeText, longTextSearch, trimmed } from './text.ts';

const maxHtml = 2_000_000;
const maxOpen = 1_000;

export const richText: FieldType = {
  names: ['RICH_TEXT'],
  columns: (field) => [
    { name: field.name, type: 'text collate "C"' },
    { name: textColumnOf(field.name), type: 'text collate "C"' },
  ],
  read: (field, scope) => reading(columnOf(scope, field.name), textMember(field.name)),
  schema: (field) =>
    valueSchema(field.name, { type: 'string', contentMediaType: 'text/html', examples: ['<p>About <b>Acme</b></p>'] }),
  operand: (field, scope) => textOperand(columnOf(scope, textColumnOf(field.name))),
  operators: operatorsOf('text'),
  aggregates: aggregates.ofItsValue,
  isLong: true,
  decode(value, field) {
    if (value === null) return [null, null];
    const html = clean(decodeText(value, maxHtml));
    const text = plainText(html);
    if (field.isRequired && text === '') throw new FieldProblem('is required');
    return [html, text];
  },
  fromCell: trimmed,
  searchText: ([, text]) => longTextSearch(text ?? ''),
};

function textColumnOf(name: string): string {
  return `${name}__text`;
}

/** What text is made of, and nothing that loads, runs or covers anything: no images, styles, forms or frames. */
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
  // Elements whose content is no text of the page.
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

/** Within these, tags close in another way: the same tags without them are another tree. */
const foreign = /<(?:svg|math)/i;

/** What has been cleaned stays as it is when it is cleaned again. */
function clean(html: string): string {
  const cleaned = sanitized(html);
  return foreign.test(html) ? sanitized(cleaned) : cleaned;
}

function sanitized(html: string): string {
  // Loaded by the first rich text: most commands and many organizations have none, and it takes 50 ms.
  sanitizer ??= require('sanitize-html') as typeof sanitizeHtml;
  let open = 0;
  return sanitizer(html, {
    ...allowed,
    // The parser walks all open elements at each tag: 100,000 of them took 6 s, and nobody means more than a few.
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

/** The text of cleaned HTML, a line for each block. The cleaner escapes `<` and `>` even in attributes, and leaves four entities. */
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
