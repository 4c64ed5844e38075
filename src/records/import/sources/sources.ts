/** The programs whose exports are known, and which one a file comes from. */
import { google } from './google.ts';
import { hubspot } from './hubspot.ts';
import { linkedin } from './linkedin.ts';
import { outlook } from './outlook.ts';
import { pipedrive } from './pipedrive.ts';
import { salesforce } from './salesforce.ts';
import type { Source } from './source.ts';
import { vcard } from './vcard.ts';
import { zoho } from './zoho.ts';

// Zoho's ids have nearly the name of HubSpot's.
const sources: readonly Source[] = [google, outlook, linkedin, ...zoho, ...hubspot, ...salesforce, ...pipedrive, vcard];

/** The program that writes such columns; undefined where none is known that does. */
export function recognise(columns: readonly string[]): Source | undefined {
  const names = new Set(columns.map((column) => column.trim().toLowerCase()));
  return sources.find((source) => source.recognises(names, columns));
}

/** The source of that name. */
export function sourceNamed(name: string | undefined): Source | undefined {
  return sources.find((source) => source.name === name);
}

/** The program of that name, where its rows are records of the object. */
export function sourceOf(name: string | undefined, objectName: string): Source | undefined {
  const source = sourceNamed(name);
  return source?.object === objectName ? source : undefined;
}

/** Whether some program has a column of that name. */
export function isSourceColumn(text: string): boolean {
  return sources.some((source) => source.pathOf(text.trim()) !== undefined);
}
