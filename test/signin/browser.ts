/** What a browser does with the pages: keeps the cookie, follows redirects, and says where a form comes from. */

export interface Shown {
  readonly status: number;
  readonly url: string;
  readonly html: string;
  readonly headers: Headers;
}

export interface Browser {
  /** The cookie as it is sent; undefined where there is none. */
  cookie: string | undefined;
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
  const browser: Browser = {
    cookie: undefined,
    open: (path) => go('GET', path),
    async submit(path, fields, headers = {}) {
      const sent = new URLSearchParams(path.startsWith('/settings') ? { ...(await madeFor()), ...fields } : fields);
      return go('POST', path, sent.toString(), {
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
  /** What forms of the settings say whom they were made for. */
  async function madeFor(): Promise<Record<string, string>> {
    const { html } = await go('GET', '/settings/tokens');
    const value = /name="made_for" value="([^"]*)"/.exec(html)?.[1];
    return value === undefined ? {} : { made_for: value };
  }
  async function go(method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<Shown> {
    const reply = await fetch(new URL(path, base), {
      method,
      redirect: 'manual',
      headers: { ...(browser.cookie !== undefined && { cookie: browser.cookie }), ...headers },
      ...(body !== undefined && { body }),
    });
    const [given] = reply.headers.getSetCookie();
    if (given !== undefined) browser.cookie = given.includes('Max-Age=0') ? undefined : given.split(';')[0];
    const html = await reply.text();
    const location = reply.headers.get('location');
    if (reply.status === 303 && location !== null) return go('GET', location);
    return { status: reply.status, url: path, html, headers: reply.headers };
  }
  return browser;
}
