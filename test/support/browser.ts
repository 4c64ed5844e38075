/** A headless Chromium, where the machine has one, spoken to over its own protocol. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
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

/** In containers shared memory may be so small that a page finds no room in it and is gone; files are slower. */
function memoryFlags(): readonly string[] {
  const { bavail, bsize } = existsSync(sharedMemory) ? statfsSync(sharedMemory) : { bavail: 0, bsize: 0 };
  return bavail * bsize < leastShared ? ['--disable-dev-shm-usage'] : [];
}

const sharedMemory = '/dev/shm';
const leastShared = 512 * 1024 * 1024;

/** So long is waited for something on a page. */
const untilMs = 45_000;

const modifierBits: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };
const keyCodes: Readonly<Record<string, number>> = {
  Tab: 9,
  Enter: 13,
  Escape: 27,
  ' ': 32,
  PageUp: 33,
  PageDown: 34,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Delete: 46,
  Backspace: 8,
  F1: 112,
};

export interface Page {
  /** Addresses that the page asked for. */
  readonly requests: readonly string[];
  /** What `/api` answered the page so far; streams that still go on are not among it. */
  answers(): Promise<readonly Answer[]>;
  /** What the page complained of: exceptions, errors on the console, violations of its policy, failed loads. */
  readonly complaints: readonly string[];
  open(url: string): Promise<void>;
  /** The value of an expression, which may be a promise. */
  evaluate<T>(expression: string): Promise<T>;
  /** Resolves when the expression is true; rejects with it where that takes too long. */
  until(expression: string): Promise<void>;
  /** The size of the window in CSS pixels, and whether the page is light or dark. */
  look(width: number, height: number, scheme: 'light' | 'dark'): Promise<void>;
  /** What the page is told of its reader's wishes beside that: `forced-colors`, `prefers-contrast`. */
  wish(feature: string, value: string): Promise<void>;
  /** Has the page's processor go so many times slower. */
  slow(times: number): Promise<void>;
  /** Runs the script in each document from here on, before anything of its own. */
  onEachDocument(script: string): Promise<void>;
  /** Turns the wheel over the middle of the element so many times, with two frames after each. */
  wheel(selector: string, pixels: number, turns: number): Promise<void>;
  /**
   * A key as `event.key` calls it, as if it were pressed, with those held that stand before it: `Tab`, `c`, `Control+k`, `Shift+ArrowDown`.
   * `place` is where it lies, as `event.code` calls it, on keyboards of other scripts: `с` at `KeyC`.
   */
  press(keys: string, place?: string): Promise<void>;
  /** A click in the middle of the first element that the selector finds; it waits until that is there and holds still. */
  click(selector: string): Promise<void>;
  /** Takes the one element with the pointer, and lets it go over the other. */
  drag(from: string, to: string): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  /** What is in the window; `quality` of a format that loses something, up to 100. */
  screenshot(format?: 'png' | 'webp', quality?: number): Promise<Buffer>;
  /** Another page of the same browser, with the same cookies. */
  openTab(): Promise<Page>;
  close(): Promise<void>;
}

export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly text: string;
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
  const child = spawn(program, [...flags, ...memoryFlags(), `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { origin } = new URL((await debuggerAddress(child)).replace('ws:', 'http:'));
  return pageAt(await firstPage(origin), origin, async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
}

/** A browser says where it listens before it has made its first page. */
async function firstPage(origin: string): Promise<Target> {
  const end = performance.now() + untilMs;
  while (performance.now() < end) {
    const targets = (await (await fetch(`${origin}/json/list`)).json()) as Target[];
    const page = targets.find(({ type }) => type === 'page');
    if (page) return page;
  }
  throw new Error('Chromium has no page');
}

interface Target {
  readonly id: string;
  readonly type: string;
  readonly webSocketDebuggerUrl: string;
}

async function pageAt(target: Target, origin: string, close: () => Promise<void>): Promise<Page> {
  const wire = await connect(target.webSocketDebuggerUrl);
  for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'Inspector']) await wire.call(`${domain}.enable`);
  // Of several pages, all are drawn.
  await wire.call('Emulation.setFocusEmulationEnabled', { enabled: true });
  await wire.call('Page.setLifecycleEventsEnabled', { enabled: true });
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await wire.call('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  };
  /** Where the element is once it is seen and has not moved between two frames. */
  const middleOf = (selector: string) =>
    evaluate<{ x: number; y: number }>(`new Promise((resolve) => {
      let last;
      const look = () => {
        const found = document.querySelector(${JSON.stringify(selector)});
        found?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        const box = found?.getBoundingClientRect();
        const now = box && box.width > 0 ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : undefined;
        if (now && last && now.x === last.x && now.y === last.y) return resolve(now);
        last = now;
        requestAnimationFrame(look);
      };
      look();
    })`);
  const mouse = (type: string, { x, y }: { x: number; y: number }, button = 'left') =>
    wire.call('Input.dispatchMouseEvent', {
      type,
      x,
      y,
      button,
      buttons: type === 'mouseReleased' ? 0 : button === 'none' ? 0 : 1,
      clickCount: 1,
    });
  return {
    requests: wire.requests,
    answers: () => Promise.all(wire.answered),
    complaints: wire.complaints,
    evaluate,
    async open(url) {
      for (;;) {
        const { loaderId, errorText } = await wire.call('Page.navigate', { url });
        await wire.whenLoaded(target.id, loaderId);
        // Another machine's network that comes or goes breaks requests off, those to this machine, too.
        if (errorText !== 'net::ERR_NETWORK_CHANGED') return;
      }
    },
    async until(expression) {
      await evaluate(`new Promise((resolve, reject) => {
        const end = performance.now() + ${untilMs};
        const look = () => {
          if (${expression}) resolve();
          else if (performance.now() > end) reject(new Error(${JSON.stringify(`Not within ${untilMs} ms: ${expression}`)}));
          else requestAnimationFrame(look);
        };
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
    wish: (name, value) =>
      wire.call('Emulation.setEmulatedMedia', {
        features: [
          { name: 'prefers-reduced-motion', value: 'reduce' },
          { name, value },
        ],
      }),
    slow: (rate) => wire.call('Emulation.setCPUThrottlingRate', { rate }),
    onEachDocument: (source) => wire.call('Page.addScriptToEvaluateOnNewDocument', { source }),
    async wheel(selector, deltaY, turns) {
      const at = await middleOf(selector);
      for (let turn = 0; turn < turns; turn++) {
        await wire.call('Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX: 0, deltaY });
        await evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`);
      }
    },
    async press(keys, place) {
      const parts = keys.split(/\+(?=.)/);
      const key = parts.at(-1) ?? '';
      const modifiers = parts.slice(0, -1).reduce((sum, name) => sum + (modifierBits[name] ?? 0), 0);
      const code = keyCodes[key] ?? key.toUpperCase().charCodeAt(0);
      // Held together with others, a letter writes nothing.
      const text =
        key === 'Enter' ? '\r' : key.length === 1 && (modifiers & ~modifierBits['Shift']!) === 0 ? key : undefined;
      const event = {
        key,
        code: place ?? (/^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key === ' ' ? 'Space' : key),
        windowsVirtualKeyCode: code,
        modifiers,
      };
      await wire.call('Input.dispatchKeyEvent', { type: 'keyDown', ...event, ...(text !== undefined && { text }) });
      await wire.call('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
    },
    async click(selector) {
      const at = await middleOf(selector);
      await mouse('mouseMoved', at, 'none');
      await mouse('mousePressed', at);
      await mouse('mouseReleased', at);
    },
    async drag(from, to) {
      const [start, end] = [await middleOf(from), await middleOf(to)];
      await mouse('mouseMoved', start, 'none');
      await mouse('mousePressed', start);
      // Browsers begin a drag after some pixels.
      for (const part of [0.1, 0.5, 1]) {
        const between = (a: number, b: number) => a + (b - a) * part;
        await mouse('mouseMoved', { x: between(start.x, end.x), y: between(start.y, end.y) });
      }
      await mouse('mouseReleased', end);
    },
    type: (text) => wire.call('Input.insertText', { text }),
    async screenshot(format = 'png', quality) {
      const { data } = await wire.call('Page.captureScreenshot', { format, ...(quality !== undefined && { quality }) });
      return Buffer.from(data as string, 'base64');
    },
    async openTab() {
      const made = (await (await fetch(`${origin}/json/new?about:blank`, { method: 'PUT' })).json()) as Target;
      return pageAt(made, origin, async () => void (await fetch(`${origin}/json/close/${made.id}`)));
    },
    close,
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
  const heads = new Map<string, { readonly url: string; readonly status: number }>();
  const answered: Promise<Answer>[] = [];
  const answers = new Map<number, (message: Message) => void>();
  /** The documents of each frame as they came, and those of all frames that have loaded. */
  const documents = new Map<string, string[]>();
  const loaded = new Set<string>();
  let onLoad = () => {};
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    const { id, method, params } = message;
    if (id !== undefined) {
      answers.get(id)?.(message);
      answers.delete(id);
    }
    // What waits for a page that is gone would wait until the test's time is over, and say nothing.
    if (method === 'Inspector.targetCrashed') {
      complaints.push('The page crashed');
      for (const answer of answers.values()) answer({ error: { message: 'the page crashed' } });
    }
    if (method === 'Page.lifecycleEvent') {
      const { frameId, loaderId, name } = params;
      const ofFrame = documents.get(frameId) ?? [];
      documents.set(frameId, ofFrame.includes(loaderId) ? ofFrame : [...ofFrame, loaderId]);
      if (name === 'load') loaded.add(loaderId);
      onLoad();
    }
    if (method === 'Network.requestWillBeSent') requests.push(params.request.url);
    if (method === 'Network.responseReceived') heads.set(params.requestId, params.response);
    if (method === 'Network.loadingFinished') {
      const { url = '', status = 0 } = heads.get(params.requestId) ?? {};
      if (!URL.parse(url)?.pathname.startsWith('/api/')) return;
      // Of a page that has gone meanwhile, the browser keeps nothing.
      const body = call('Network.getResponseBody', { requestId: params.requestId }).catch(() => ({ body: '' }));
      answered.push(body.then(({ body: text }) => ({ url, status, text })));
    }
    if (method === 'Runtime.exceptionThrown') complaints.push(params.exceptionDetails.exception?.description ?? '');
    if (method === 'Runtime.consoleAPICalled' && params.type === 'error')
      complaints.push(
        params.args.map((arg: { value?: unknown; description?: string }) => arg.description ?? arg.value).join(' '),
      );
    if (method === 'Log.entryAdded' && params.entry.level === 'error') complaints.push(params.entry.text);
  });
  let last = 0;
  function call(method: string, params: object = {}) {
    const id = ++last;
    // oxlint-disable-next-line typescript/no-explicit-any -- whoever calls knows the method
    return new Promise<any>((resolve, reject) => {
      answers.set(id, ({ result, error }) =>
        error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result),
      );
      socket.send(JSON.stringify({ id, method, params }));
    });
  }
  /** Resolves when the frame has loaded this document, or one that this one leads to: those before may still be loading. */
  const whenLoaded = (frame: string, wanted: string) =>
    new Promise<void>((resolve) => {
      onLoad = () => {
        const ofFrame = documents.get(frame) ?? [];
        const at = ofFrame.indexOf(wanted);
        if (at !== -1 && ofFrame.slice(at).some((loader) => loaded.has(loader))) resolve();
      };
      onLoad();
    });
  return { requests, answered, complaints, whenLoaded, call };
}
