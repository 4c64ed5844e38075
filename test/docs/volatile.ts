/** What is another in every run: how pages show it, and what two outputs are compared without. */

/** What stands in pages for what a run has. */
export interface Stage {
  readonly url: string;
  readonly dataDir: string;
}

export const pageUrl = 'http://127.0.0.1:3000';
const pageDataDir = '/srv/kith/.kith';

/** Commands and files of a page, for the service of a run. */
export function forStage(text: string, { url }: Stage): string {
  return text.replaceAll(pageUrl, url);
}

/** What doctor says of the servers of tests, which risk more and may do more, and of an embedded one. */
const ofServer: readonly (readonly [told: RegExp, embedded: string])[] = [
  [
    /^ok +durability .*$/gm,
    'ok      durability  main: data_checksums on, fsync on, full_page_writes on, synchronous_commit on',
  ],
  [/^ok +role .*$/gm, 'ok      role        main: kith_service'],
];

/** Output of a run as a page shows it: for the service that a reader has, and without secrets. */
export function forPage(output: string, { url, dataDir }: Stage): string {
  return ofServer
    .reduce((text, [told, embedded]) => text.replaceAll(told, embedded), output)
    .replaceAll(url, pageUrl)
    .replaceAll(url.replace('http://', ''), pageUrl.replace('http://', ''))
    .replaceAll(dataDir, pageDataDir)
    .replaceAll(/(PostgreSQL \d+\.\d+), at \S+/g, '$1, embedded')
    .replaceAll(/\bsvc_[\w.-]+/g, 'svc_…')
    .replaceAll(/(?<="wsToken": ?")[\w.-]+/g, '7Kx1….…')
    .replaceAll(/[ \t]+$/gm, '')
    .replace(/[^\n]$/, '$&\n');
}

const volatile: readonly (readonly [what: RegExp, name: string])[] = [
  [/\bwhsec_[A-Za-z0-9+/]{43}=/g, 'SECRET'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'ID'],
  [/\borg_[0-9a-f]{32}\b/g, 'SCHEMA'],
  [/(?<=\/)\d{4}-\d\d-\d\d(?=\/)/g, 'DATE'],
  [/"[0-9a-f]{32}-[\w-]+"/g, 'TAG'],
  [/(?<="nextCursor": )"[\w-]+"/g, 'CURSOR'],
  [/(?<="confirm_token": )"[\w.-]+"/g, 'TOKEN'],
  [/(?<="client_id": )"[\w-]{43}"/g, 'CLIENT'],
  [/(?<="client_id_issued_at": )\d+/g, 'SECONDS'],
  [/(?<="position": )"[\w-]+"/g, 'POSITION'],
  [/(?<=[?&]cursor=)[\w-]+/g, 'CURSOR'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME'],
  [/\b(?:Citus on )?PostgreSQL \d+\.\d+/g, 'POSTGRESQL'],
  [/\bready in \d+\.\d s/g, 'READY'],
  [/\bKith \d+\.\d+\.\d+/g, 'VERSION'],
];

/** Two outputs say the same when this is the same. */
export function comparable(output: string): string {
  return volatile.reduce((text, [what, name]) => text.replaceAll(what, `{${name}}`), output);
}
