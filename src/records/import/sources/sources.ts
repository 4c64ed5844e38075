/** The known programs, and recognising which one a file comes from. */
import { google } from './google.ts';
import { hubspot } from './hubspot.ts';
import { linkedin } from './linkedin.ts';
import { outlook } from './outlook.ts';
import { pipedrive } from './pipedrive.ts';
import { salesforce } from './salesforce.ts';
import type { Source } from './source.ts';
import { vcard } from './vcard.ts';
import { zoho } from './zoho.ts';

// Zoho comes before HubSpot, since their id columns have similar names.
const sources: readonly Source[] = [google, outlook, linkedin, ...zoho, ...hubspot, ...salesforce, ...pipedrive, vcard];

/** The program that writes such columns; undefined for unknown ones. */
export function recognise(columns: readonly string[]): Source | undefined {
  const names = new Set(columns.map((column) => column.trim().toLowerCase()));
  return sources.find((source) => source.recognises(names, columns));
}

/** The source with that name. */
export function sourceNamed(name: string | undefined): Source | undefined {
  return sources.find((source) => source.name === name);
}

/** The source with that name, if its rows are records of the object. */
export function sourceOf(name: string | undefined, objectName: string): Source | undefined {
  const source = sourceNamed(name);
  return source?.object === objectName ? source : undefined;
}

/** Whether it is a column name of some program. */
export function isSourceColumn(text: string): boolean {
  return sources.some((source) => source.pathOf(text.trim()) !== undefined);
}
