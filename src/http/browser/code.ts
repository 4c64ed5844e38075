/** Text to copy: a button does, which its script shows; without one, a click marks all of it. */
import { html, type Html } from '../escaped.ts';

/** A block of code named `label`, as it is pasted. */
export function code(label: string, text: string): Html {
  return html`<figure class="code"><figcaption>${label}<button class="bare" type="button" aria-label="Copy: ${label}" hidden>Copy</button></figcaption><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre></figure>`;
}
