/** A headless Chromium, where the machine has one, spoken to over its own protocol. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The program, or undefined: then a test says so and skips. */
export const chromium = places.find((path) => existsSync(path));

const flags = [
  '--headless',
  '--hide-scrollbars',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--window-size=1280,900',
  '--remote-debugging-port=0',
];

export interface Page {
  /** Addresses that the page asked for. */
  readonly requests: readonly string[];
  /** What the page complained of: exceptions, errors on the console, violations of its policy, failed loads. */
  readonly complaints: readonly string[];
  open(url: string): Promise<void>;
  /** The value of an expression, which may be a promise. */
  evaluate<T>(expression: string): Promise<T>;
  /** Resolves when the expression is true. */
  until(expression: string): Promise<void>;
  /** The size of the window in CSS pixels, and whether the page is light or dark. */
  look(width: number, height: number, scheme: 'light' | 'dark'): Promise<void>;
  /** A key, as if it were pressed. */
  press(key: 'Tab' | 'Enter'): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  /** What is in the window; `quality` of a format that loses something, up to 100. */
  screenshot(format?: 'png' | 'webp', quality?: number): Promise<Buffer>;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the protocol has hundreds of shapes
  readonly params?: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- the same
  readonly result?: any;
  readonly error?: { readonly message: string };
}

/** Opens an empty page in a browser of its own. */
export async function openPage(program: string): Promise<Page> {
  const profile = mkdtempSync(join(tmpdir(), 'kith-browser-'));
  const child = spawn(program, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { origin } = new URL((await debuggerAddress(child)).replace('ws:', 'http:'));
  const targets = (await (await fetch(`${origin}/json/list`)).json()) as {
    type: string;
    webSocketDebuggerUrl: string;
  }[];
  const target = targets.find(({ type }) => type === 'page');
  if (!target) throw new Error('Chromium has no page');
  const wire = await connect(target.webSocketDebuggerUrl);
  for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await wire.call(`${domain}.enable`);
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await wire.call('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  };
  return {
    requests: wire.requests,
    complaints: wire.complaints,
    evaluate,
    async open(url) {
      const loaded = wire.next('Page.loadEventFired');
      await wire.call('Page.navigate', { url });
      await loaded;
    },
    async until(expression) {
      await evaluate(`new Promise((resolve) => {
        const look = () => ((${expression}) ? resolve() : requestAnimationFrame(look));
        look();
      })`);
    },
    async look(width, height, scheme) {
      const isMobile = width < 600;
      await wire.call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: isMobile });
      const features = [
        { name: 'prefers-color-scheme', value: scheme },
        { name: 'prefers-reduced-motion', value: 'reduce' }, // what is looked at is how it ends
      ];
      await wire.call('Emulation.setEmulatedMedia', { features });
    },
    async press(key) {
      const code = { Tab: 9, Enter: 13 }[key];
      const event = { key, code: key, windowsVirtualKeyCode: code, ...(key === 'Enter' && { text: '\r' }) };
      await wire.call('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
      await wire.call('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
    },
    type: (text) => wire.call('Input.insertText', { text }),
    async screenshot(format = 'png', quality) {
      const { data } = await wire.call('Page.captureScreenshot', { format, ...(quality !== undefined && { quality }) });
      return Buffer.from(data as string, 'base64');
    },
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function debuggerAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`Chromium ended with ${code}`)));
    if (!child.stderr) return reject(new Error('Chromium has no standard error'));
    createInterface(child.stderr).on('line', (line) => {
      const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}

async function connect(url: string) {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error('Chromium takes no connection')), { once: true });
  });
  const requests: string[] = [];
  const complaints: string[] = [];
  const answers = new Map<number, (message: Message) => void>();
  const events = new Map<string, () => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    const { id, method, params } = message;
    if (id !== undefined) answers.get(id)?.(message);
    if (method !== undefined) events.get(method)?.();
    if (method === 'Network.requestWillBeSent') requests.push(params.request.url);
    if (method === 'Runtime.exceptionThrown') complaints.push(params.exceptionDetails.exception?.description ?? '');
    if (method === 'Runtime.consoleAPICalled' && params.type === 'error')
      complaints.push(
        params.args.map((arg: { value?: unknown; description?: string }) => arg.description ?? arg.value).join(' '),
      );
    if (method === 'Log.entryAdded' && params.entry.level === 'error') complaints.push(params.entry.text);
  });
  let last = 0;
  return {
    requests,
    complaints,
    next: (method: string) => new Promise<void>((resolve) => events.set(method, resolve)),
    call(method: string, params: object = {}) {
      const id = ++last;
      // oxlint-disable-next-line typescript/no-explicit-any -- whoever calls knows the method
      return new Promise<any>((resolve, reject) => {
        answers.set(id, ({ result, error }) =>
          error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result),
        );
        socket.send(JSON.stringify({ id, method, params }));
      });
    },
  };
}
