/** What a browser does with the pages: keeps cookies, follows redirects within the service, and says where a form comes from. */

export interface Shown {
  readonly status: number;
  readonly url: string;
  readonly html: string;
  readonly headers: Headers;
}

export interface Browser {
  /** The cookie as it is sent; undefined where there is none. */
  cookie: string | undefined;
  /** What the cookies beside it say. */
  others(): readonly string[];
  open(path: string): Promise<Shown>;
  /** Sends a form of a page as it is now, unless `fields` say otherwise, and follows where it leads. `headers` go over those that a browser sends. */
  submit(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Shown>;
  /** A request of the page's script. `path` is below /api/v1. */
  api(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ status: number; json: any; headers: Headers }>; // oxlint-disable-line typescript/no-explicit-any -- what a test expects of it, the test says
}

/** A browser without a cookie, at the service. */
export function openBrowser(base: string): Browser {
  /** Those beside that of the session: by name, with the path below which each is sent. */
  const others = new Map<string, { readonly text: string; readonly path: string }>();
  const browser: Browser = {
    cookie: undefined,
    others: () =>
      [...others.values()].map(({ text }) => text.slice(text.indexOf('=') + 1)).filter((text) => text !== ''),
    open: (path) => go('GET', path),
    async submit(path, fields, headers = {}) {
      return go('POST', path, new URLSearchParams(fields).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
        origin: base,
        ...headers,
      });
    },
    async api(method, path, body, headers = {}) {
      const reply = await fetch(`${base}/api/v1${path}`, {
        method,
        headers: {
          ...(browser.cookie !== undefined && { cookie: browser.cookie }),
          ...(method !== 'GET' && { origin: base }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      return { status: reply.status, headers: reply.headers, json: text === '' ? undefined : JSON.parse(text) };
    },
  };
  const cookiesFor = (path: string) =>
    [browser.cookie, ...[...others.values()].filter((one) => path.startsWith(one.path)).map(({ text }) => text)]
      .filter((text) => text !== undefined)
      .join('; ');
  function keep(given: string): void {
    const [text = ''] = given.split(';');
    if (/^(__Host-)?kith=/.test(text)) browser.cookie = given.includes('Max-Age=0') ? undefined : text;
    else others.set(text.split('=')[0] ?? '', { text, path: /path=([^;]*)/i.exec(given)?.[1] ?? '/' });
  }
  async function go(method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<Shown> {
    const url = new URL(path, base);
    const cookie = cookiesFor(url.pathname);
    const reply = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { ...(cookie !== '' && { cookie }), ...headers },
      ...(body !== undefined && { body }),
    });
    reply.headers.getSetCookie().forEach(keep);
    const html = await reply.text();
    const location = reply.headers.get('location');
    const leads = location === null ? undefined : new URL(location, base);
    if (reply.status !== 303 || !leads) return { status: reply.status, url: path, html, headers: reply.headers };
    // To an app it does not go: there it would be at its end.
    if (leads.origin !== base) return { status: reply.status, url: leads.href, html, headers: reply.headers };
    return go('GET', leads.pathname + leads.search);
  }
  return browser;
}
