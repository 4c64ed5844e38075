/** All pages for people, and their styles. */
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { pagePolicy } from '../page-head.ts';
import { staticHandler } from '../static-file.ts';
import { stylesPath } from './layout.ts';
import type { PageParts } from './page-route.ts';
import { addDemoDoor } from './demo-door.ts';
import { addFirstPage } from './first-page.ts';
import { addConsentPages } from './consent-pages.ts';
import { addSignInPages } from './sign-in-pages.ts';
import { addWebApp } from './web-app.ts';

const styles = new URL('../pages/pages.css', import.meta.url);

/** Adds the pages. */
export function addPages(app: FastifyInstance, parts: PageParts): void {
  const type = 'text/css; charset=utf-8';
  app.get(
    stylesPath,
    staticHandler({ type, policy: pagePolicy() }, () => readFile(styles)),
  );
  addFirstPage(app, parts);
  addDemoDoor(app, parts);
  addSignInPages(app, parts);
  if (parts.oauth) addConsentPages(app, parts, parts.oauth);
  addWebApp(app, parts);
}
