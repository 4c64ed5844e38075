/** The HTML of the reference page: the common frame and an introduction; its scripts add the rest. */
import { documentsPath, referencePath, restPrefix } from '../lib/url-paths.ts';
import { html } from './escaped.ts';
import { brand, pageHead, skip, themeButton } from './page-head.ts';

/** The documents to begin with, labelled as in the menu. */
const beginnings = [
  ['quick-start', 'From nothing to your data'],
  ['rest/filters', 'Filters'],
  ['rest/values', 'Values of each field type'],
  ['rest/errors', 'Errors and limits'],
  ['tools', 'Tools for agents'],
] as const;

/** The page, which is the same for everyone. */
export function referenceHtml(): string {
  const links = beginnings.map(([page, label]) => html`<li><a href="${referencePath}/${page}">${label}</a></li>`);
  return html`<!doctype html>
<html lang="en">
  ${pageHead('Reference', `${referencePath}/reference.css`, html`<script type="module" src="${referencePath}/reference.js"></script>`)}
  <body>
    ${skip}
    <nav aria-label="Operations">
      <div class="top">
        ${brand}<span>Reference</span>${themeButton}
        <button type="button" id="fold" aria-expanded="false" aria-controls="menu" hidden>Operations</button>
      </div>
      <div id="menu" hidden>
        <label class="unseen" for="search">Find an operation or a field</label>
        <input id="search" type="search" placeholder="Find an operation or a field" autocomplete="off" spellcheck="false" />
        <p id="found" class="hint" role="status"></p>
        <div id="list"><div id="start">
          <h2>Start</h2>
          <ul><li><a href="${referencePath}" data-operation="">Quick start</a></li>${links}</ul>
        </div>
        <div id="operations"></div>
        <div class="whose">
          <p id="about" class="hint"></p>
          <button type="button" id="forget" class="plain">Forget the token</button>
        </div></div>
      </div>
    </nav>
    <main id="main" tabindex="-1">
      <section id="welcome">
        <h1>Every request, for your own workspace</h1>
        <p class="lead">
          The reference is made for whoever looks: it shows the objects and fields of your organization, and what your role
          may do with them. <a href="/signin?next=${referencePath}">Sign in</a> to see it, or show it a token.
        </p>
        <form id="token-form" class="card" autocomplete="off">
          <label for="token">API token</label>
          <div class="line">
            <input id="token" name="token" type="password" placeholder="svc_…" spellcheck="false" required />
            <button type="submit" class="primary" disabled>Show</button>
          </div>
          <p class="hint">It is kept in this tab until the tab is closed, and sent to this service alone.</p>
          <p id="status" class="problem" role="status"></p>
        </form>
        <h2>Where tokens come from</h2>
        <p>
          The first start of a service with a demo prints one that works, and who is signed in makes one under
          <a href="/settings/tokens">API tokens</a>. On the machine of the service, another is made by
        </p>
        <pre tabindex="0" role="region" aria-label="A command that makes a token"><code>npx kith token create --org ID --email you@example.com --name laptop</code></pre>
        <p>
          The same reference for programs is an OpenAPI document: <code>GET ${restPrefix}/openapi.json</code>. What is behind
          it is told in the <a href="${documentsPath}">documentation</a>.
        </p>
      </section>
    </main>
  </body>
</html>
`.text;
}
