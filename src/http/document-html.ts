/** Renders documents of `docs` from Markdown to HTML, with links to their served addresses. */
import { posix } from 'node:path';
import { Marked } from 'marked';
import { documentsPath, referencePath } from '../lib/url-paths.ts';
import { escaped, html, Html } from './escaped.ts';
import { brand, pageHead, skip, themeButton } from './page-head.ts';

/** The address of a file of `docs`: pages lose their ending, a README is its folder. */
export function addressOf(file: string): string {
  const page = file.replace(/(^|\/)README\.md$/, '').replace(/\.md$/, '');
  return page === '' ? documentsPath : `${referencePath}/${page}`;
}

/** Makes the ids of a page's headings as GitHub does; repetitions are numbered. */
export function headingIds(): (heading: string) => string {
  const counts = new Map<string, number>();
  return (heading) => {
    const id = plain(heading)
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

/** Renders `file`, whose text is `markdown`; `files` are all that are served. Links to others become plain text. */
export function documentHtml(file: string, markdown: string, files: ReadonlySet<string>): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? file;
  const served = (href: string) => {
    const [path = '', anchor] = href.split('#', 2);
    const target = path === '' ? file : posix.join(posix.dirname(file), path);
    if (!files.has(target)) return undefined;
    return addressOf(target) + (anchor === undefined ? '' : `#${anchor}`);
  };
  const idOf = headingIds();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const address = /^https?:/.test(href) ? href : served(href);
        return address === undefined ? text : `<a href="${escaped(address)}">${text}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escaped(served(href) ?? '')}" alt="${escaped(text)}" />`;
      },
      code({ text, lang }) {
        const isOutput = lang?.split(' ').includes('output');
        return `<pre tabindex="0"${isOutput ? ' class="output"' : ''}><code>${escaped(text)}\n</code></pre>\n`;
      },
    },
    hooks: {
      postprocess: (made) =>
        made.replaceAll('<table>', '<div class="wide" tabindex="0"><table>').replaceAll('</table>', '</table></div>'),
    },
  });
  return page(plain(title), file, marked.parse(markdown, { async: false }));
}

function page(title: string, file: string, body: string): string {
  const markdown = html`<link rel="alternate" href="${referencePath}/${file}" type="text/markdown" />`;
  return html`<!doctype html>
<html lang="en">
  ${pageHead(title, `${referencePath}/documents.css`, markdown)}
  <body>
    ${skip}
    <nav aria-label="Documentation">
      ${brand}
      <a href="${documentsPath}">All pages</a>
      <a href="${addressOf('quick-start.md')}">Quick start</a>
      <a href="${referencePath}">Reference for your token</a>
      <a class="plain" href="${referencePath}/${file}">This page as Markdown</a>
      ${themeButton}
    </nav>
    <main id="main" tabindex="-1">
${new Html(body)}    </main>
  </body>
</html>
`.text;
}

/** The text of a heading without Markdown for code, emphasis and links. */
function plain(heading: string): string {
  return heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
}
