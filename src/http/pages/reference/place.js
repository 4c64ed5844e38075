/** Where operations lie: the addresses of their pages, and which of several paths an operation has. */

const pagePath = '/docs';

/** The address of an operation's page: `/docs/contacts/listContacts`. */
export function addressOf({ folder, id }) {
  return `${pagePath}/${folder}/${id}`;
}

/** Which page the browser's address names, '' for the first, and what it says of the form. An address of earlier versions has it all behind `#/`. */
export function placeIn({ pathname, search, hash }) {
  const [name, query = ''] = hash.startsWith('#/') ? hash.slice(2).split('?', 2) : [pathname.split('/')[3], search];
  return { id: decodeURIComponent(name ?? ''), given: new URLSearchParams(query) };
}

/** What a link to a page of an operation has; '' is the first page. */
export function linkTo(operation) {
  return { href: operation ? addressOf(operation) : pagePath, 'data-operation': operation?.id ?? '' };
}

/** The path without where all paths begin, in parts. */
function partsOf({ path }) {
  return path.replace(/^\/api\/v1/, '').split('/');
}

/** That of `patterns`, each with `method` and a path like `/records/:object/:id`, which is the operation's; an object may stand in it by its name. */
export function patternOf(operation, patterns) {
  const parts = partsOf(operation);
  const fits = ({ method, path }) => {
    const others = path.split('/');
    return (
      // What comes by PATCH is the same by PUT.
      (method === operation.method || (operation.method === 'PATCH' && method === 'PUT')) &&
      others.length === parts.length &&
      others.every((other, at) =>
        other === ':object'
          ? parts[at] !== ''
          : other.startsWith(':')
            ? parts[at].startsWith('{')
            : other === parts[at],
      )
    );
  };
  // One that names more of the path itself comes before one that takes anything there.
  return patterns.filter(fits).toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)[0];
}

/** What stands in the operation's path for each name of the pattern; `…id` where the form says nothing yet. */
export function pathValues({ path }, operation, values) {
  const parts = partsOf(operation);
  return path.split('/').flatMap((other, at) => {
    if (!other.startsWith(':')) return [];
    const [, name] = /^\{(.+)\}$/.exec(parts[at]) ?? [];
    const value = name === undefined ? parts[at] : (values.find((value) => value.name === name)?.value ?? `…${name}`);
    return [[other.slice(1), value]];
  });
}
