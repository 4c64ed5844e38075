/** Addresses of operations' pages, and matching of operations with path patterns. */

const pagePath = '/docs';

/** The address of an operation's page: `/docs/contacts/listContacts`. */
export function addressOf({ folder, id }) {
  return `${pagePath}/${folder}/${id}`;
}

/**
 * The operation in the browser's address, '' for the start page, and the form values. Addresses of earlier versions have
 * them behind `#/`.
 */
export function placeIn({ pathname, search, hash }) {
  const [name, query = ''] = hash.startsWith('#/') ? hash.slice(2).split('?', 2) : [pathname.split('/')[3], search];
  return { id: decodeURIComponent(name ?? ''), given: new URLSearchParams(query) };
}

/** Attributes of a link to an operation's page; '' is the start page. */
export function linkTo(operation) {
  return { href: operation ? addressOf(operation) : pagePath, 'data-operation': operation?.id ?? '' };
}

/** The path without the common prefix, in segments. */
function partsOf({ path }) {
  return path.replace(/^\/api\/v1/, '').split('/');
}

/**
 * The pattern of the operation among `patterns`, each with `method` and a path like `/records/:object/:id`; an object's
 * name may stand for `:object`.
 */
export function patternOf(operation, patterns) {
  const parts = partsOf(operation);
  const fits = ({ method, path }) => {
    const others = path.split('/');
    return (
      // Where PATCH is accepted, PUT does the same.
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
  // A pattern with fewer parameters is more specific.
  return patterns.filter(fits).toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)[0];
}

/** The operation's path values by the pattern's parameters; `…id` if the form has no value yet. */
export function pathValues({ path }, operation, values) {
  const parts = partsOf(operation);
  return path.split('/').flatMap((other, at) => {
    if (!other.startsWith(':')) return [];
    const [, name] = /^\{(.+)\}$/.exec(parts[at]) ?? [];
    const value = name === undefined ? parts[at] : (values.find((value) => value.name === name)?.value ?? `…${name}`);
    return [[other.slice(1), value]];
  });
}
