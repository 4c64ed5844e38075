/** All pages for people, and their styles. */
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { staticHandler } from '../static-file.ts';
import { pagePolicy, stylesPath } from './layout.ts';
import type { PageParts } from './page-route.ts';
import { addPeoplePages } from './people-pages.ts';
import { addTokenPages } from './token-pages.ts';
import { addSignInPages } from './sign-in-pages.ts';

const styles = new URL('../pages/pages.css', import.meta.url);

/** Adds them. */
export function addPages(app: FastifyInstance, parts: PageParts): void {
  const type = 'text/css; charset=utf-8';
  app.get(
    stylesPath,
    staticHandler({ type, policy: pagePolicy }, () => readFile(styles)),
  );
  addSignInPages(app, parts);
  addTokenPages(app, parts);
  addPeoplePages(app, parts);
}
