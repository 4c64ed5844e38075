/** Blocks of text to copy: by a button with script, or by a click that selects all of it. */
import { html, type Html } from '../escaped.ts';

/** A code block named `label` with a copy button. */
export function code(label: string, text: string): Html {
  return html`<figure class="code"><figcaption>${label}<button class="bare" type="button" aria-label="Copy: ${label}" hidden>Copy</button></figcaption><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre></figure>`;
}
