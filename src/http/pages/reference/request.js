/** A request as the form says it: to be sent, and as a command line. */

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

/** The request for a shell; the token is a variable there. */
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

/** Whom the page was made for, once that is known. */
let reader;

/** From here on, requests by the session are good for this user alone. */
export function madeFor(workspaceUserId) {
  reader = workspaceUserId;
}

/** The headers by which the service knows who asks; a session goes along by itself. */
export function authorized(token) {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return reader === undefined ? {} : { 'made-for': reader };
}

/** Sends it to this service; what came back, and after how long. */
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
