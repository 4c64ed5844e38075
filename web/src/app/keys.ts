/**
 * Keys: each page says which do what, and the sheet and the palette list the same. `event.key` decides; where that is no Latin
 * letter, the place of the key does, so that keyboards of other scripts have the same ones.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { remember, remembered } from './remembered.ts';

export interface Key {
  /** `c`, `?`, `ArrowDown`, with `mod+`, `shift+` or `alt+` before it, or two letters one after the other: `g h`. */
  readonly keys: string;
  readonly label: string;
  /** Whether it counts while somebody types: combinations alone should. */
  readonly whileTyping?: boolean;
  /** Whether the browser does what the key means, and tells of it: it is listed here alone. */
  readonly isOfBrowser?: boolean;
  run(event: KeyboardEvent): void;
}

interface Layer {
  readonly isPage: boolean;
  keys: readonly Key[];
}

const layers: Layer[] = [];
const watchers = new Set<() => void>();
let listed: readonly (Key & { readonly isPage: boolean })[] = [];
const sequenceMs = 1_500;
const switchKey = 'kith-single-letters';
let first: { readonly key: string; readonly at: number } | undefined;

/** Has `keys` count as long as the component is there; those of a component that came later go first. */
export function useKeys(keys: readonly Key[], isPage = true): void {
  const layer = useRef<Layer>({ isPage, keys });
  useEffect(() => {
    layer.current.keys = keys;
    tell();
  });
  useEffect(() => {
    const own = layer.current;
    // What the page means by a key goes before what the frame means.
    if (own.isPage) layers.unshift(own);
    else layers.push(own);
    tell();
    return () => {
      layers.splice(layers.indexOf(own), 1);
      tell();
    };
  }, []);
}

/** Every key that counts now: what the sheet shows, and the palette does. */
export function useListedKeys(): typeof listed {
  return useSyncExternalStore(watch, () => listed);
}

/** Whether letters alone are keys; people who speak to their machine switch that off. */
export function useSingleLetters(): boolean {
  return useSyncExternalStore(watch, singleLettersCount);
}

/** Switches letters alone on or off. */
export function setSingleLetters(count: boolean): void {
  remember(switchKey, count ? undefined : 'off');
  tell();
}

/** Listens for the whole application; gives what ends it. */
export function listenForKeys(): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.getModifierState('AltGraph')) return;
    const pressed = pressedOf(event);
    if (pressed === undefined || isPressOf(event)) return;
    const isTyping = isTextField(event.target);
    const sequence = first && event.timeStamp - first.at < sequenceMs ? `${first.key} ${pressed}` : undefined;
    const found = (sequence && wanted(sequence, isTyping)) || wanted(pressed, isTyping);
    first = undefined;
    if (found?.isOfBrowser) return;
    if (found) {
      event.preventDefault();
      found.run(event);
    } else if (!isTyping && beginsSequence(pressed)) first = { key: pressed, at: event.timeStamp };
  };
  window.addEventListener('keydown', listen);
  return () => window.removeEventListener('keydown', listen);
}

/** How a key is written for people: `⌘K` on a Mac, `Ctrl K` elsewhere. */
export function keyText(keys: string): string {
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
  const names: Readonly<Record<string, string>> = {
    mod: isMac ? '⌘' : 'Ctrl',
    shift: '⇧',
    alt: isMac ? '⌥' : 'Alt',
    ArrowDown: '↓',
    ArrowUp: '↑',
    ArrowLeft: '←',
    ArrowRight: '→',
    Enter: '↵',
    Escape: 'Esc',
    Delete: 'Del',
    ' ': 'Space',
  };
  const written = (key: string) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  return keys
    .split(/ (?=.)/)
    .map((part) =>
      part
        .split('+')
        .map(written)
        .join(isMac ? '' : ' '),
    )
    .join(' ');
}

function pressedOf(event: KeyboardEvent): string | undefined {
  const { key, code } = event;
  if (['Control', 'Shift', 'Alt', 'Meta', 'Dead', 'Unidentified'].includes(key)) return undefined;
  const isOtherScript = key.length === 1 && !/[\u0020-\u024f]/.test(key);
  const plain =
    isOtherScript && /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key.length === 1 ? key.toLowerCase() : key;
  const isLetter = /^[a-z]$/.test(plain);
  const marks = [
    (event.ctrlKey || event.metaKey) && 'mod',
    event.altKey && 'alt',
    // Of signs such as `?` the shift is how they are typed.
    event.shiftKey && (isLetter || plain.length > 1) && 'shift',
  ].filter(Boolean);
  return [...marks, plain].join('+');
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function singleLettersCount(): boolean {
  return remembered(switchKey) !== 'off';
}

function wanted(pressed: string, isTyping: boolean): Key | undefined {
  const isLetter = /^[a-z?/](?: [a-z])?$/.test(pressed);
  if (isLetter && !singleLettersCount()) return undefined;
  for (const { keys } of layers) {
    const found = keys.find((key) => key.keys === pressed && (!isTyping || key.whileTyping));
    if (found) return found;
  }
  return undefined;
}

function beginsSequence(pressed: string): boolean {
  return singleLettersCount() && layers.some(({ keys }) => keys.some((key) => key.keys.startsWith(`${pressed} `)));
}

/** Enter and Space on a button or a link are its own, as arrows are on one of several choices. */
function isPressOf({ key, target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (key.startsWith('Arrow') && target instanceof Element && target.matches('[type=radio]')) return true;
  if ((key !== 'Enter' && key !== ' ') || ctrlKey || metaKey || !(target instanceof Element)) return false;
  return target.closest('button, a, summary, [type=checkbox], [role=menuitem], [role=option]') !== null;
}

function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type);
}

function tell(): void {
  const seen = new Set<string>();
  listed = layers.flatMap(({ isPage, keys }) =>
    keys.flatMap((key) => {
      if (seen.has(key.keys)) return [];
      seen.add(key.keys);
      return [{ ...key, isPage }];
    }),
  );
  for (const watcher of watchers) watcher();
}
