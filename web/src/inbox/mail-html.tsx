import { useEffect, useRef } from 'react';
import { useTexts } from '../i18n/language.tsx';

/** All styles that a mail has: the service removes its own. */
const sheet = `
  :host { display: block; overflow-wrap: anywhere; }
  p, ul, ol, pre, table, blockquote, h1, h2, h3, h4, h5, h6 { margin: 0 0 0.75em; }
  h1, h2, h3, h4, h5, h6 { font-size: 1em; }
  ul, ol { padding-inline-start: 1.5em; }
  a { color: var(--accent-text); }
  pre { white-space: pre-wrap; }
  table { border-collapse: collapse; max-inline-size: 100%; }
  td, th { padding: 0.125em 0.5em 0.125em 0; text-align: start; vertical-align: top; }
  blockquote { border-inline-start: 2px solid var(--edge); padding-inline-start: 0.75em; color: var(--text-2); }
  summary { inline-size: fit-content; border-radius: 6px; padding-inline: 0.375em; background: var(--hover); color: var(--text-2); }
`;

/**
 * A mail's HTML, sanitised by the service: text, links and tables, nothing that loads or runs. A shadow root keeps its styles
 * apart from the page's.
 */
export function MailHtml({ html }: { html: string }) {
  const { inbox } = useTexts();
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const host = container.current;
    if (!host) return;
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    const styles = new CSSStyleSheet();
    styles.replaceSync(sheet);
    root.adoptedStyleSheets = [styles];
    root.replaceChildren(...mailNodes(html, inbox.quoted));
  }, [html, inbox.quoted]);
  return <div ref={container} />;
}

/** Copies only elements and attributes that sanitised HTML has; quotations are folded, links send no referrer. */
function mailNodes(html: string, quotedLabel: string): Node[] {
  const mail = new DOMParser().parseFromString(html, 'text/html');
  for (const one of mail.querySelectorAll('img, style, link, script, iframe, object, form, meta, base')) one.remove();
  for (const one of mail.body.querySelectorAll('*')) {
    for (const { name } of [...one.attributes])
      if (!['href', 'title', 'start', 'colspan', 'rowspan', 'dir'].includes(name)) one.removeAttribute(name);
  }
  for (const link of mail.querySelectorAll('a[href]')) {
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer nofollow');
  }
  for (const quote of mail.querySelectorAll('blockquote')) {
    if (quote.parentElement?.closest('blockquote')) continue;
    const fold = mail.createElement('details');
    const label = mail.createElement('summary');
    label.textContent = quotedLabel;
    quote.replaceWith(fold);
    fold.append(label, quote);
  }
  for (const block of mail.body.children) if (!block.hasAttribute('dir')) block.setAttribute('dir', 'auto');
  return [...mail.body.childNodes];
}
