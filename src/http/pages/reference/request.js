/** A request built from the form: to send, and as a command line. */

/** `values` are `{ name, place, value }`; `body` is text, or undefined. */
export function requestOf({ method, path }, values, body) {
  const at = (wanted) => values.filter(({ place }) => place === wanted);
  const filled = at('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  return {
    method,
    path: filled,
    query: at('query').map(({ name, value }) => [name, value]),
    headers: at('header').map(({ name, value }) => [name, value]),
    body,
  };
}

/** Path and query. */
export function addressOf({ path, query }) {
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
}

/** The request as a shell command; the token is a variable. */
export function curlOf(request, origin) {
  const { method, path, query, headers, body } = request;
  const reads = method === 'GET';
  const address = origin + (reads ? path : addressOf(request));
  const lines = [
    `curl ${reads ? (query.length > 0 ? '-G ' : '') : `-X ${method} `}${quoted(address)}`,
    `-H "Authorization: Bearer $KITH_TOKEN"`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(reads ? query.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`) : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

function quoted(text) {
  return /^[\w:/.?=&%,+@-]+$/.test(text) && !/[&?]/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The user of the page's document, once known. */
let reader;

/** Restricts the following requests with the session to this user. */
export function madeFor(workspaceUserId) {
  reader = workspaceUserId;
}

/** The headers that authenticate a request; a session's cookie is sent by the browser. */
export function authorized(token) {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return reader === undefined ? {} : { 'made-for': reader };
}

/** Sends the request; returns the answer and its duration. */
export async function send(request, token) {
  const { method, headers, body } = request;
  const began = performance.now();
  const response = await fetch(addressOf(request), {
    method,
    headers: [
      ...Object.entries(authorized(token)),
      ...headers,
      ...(body === undefined ? [] : [['content-type', 'application/json']]),
    ],
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { response, text, ms: performance.now() - began };
}
