/**
 * Keyboard shortcuts: each page registers its own; the key sheet and the palette list them. `event.key` decides; if it is no
 * Latin letter, the physical key does, so that shortcuts work with keyboards of other scripts.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { remember, remembered } from './remembered.ts';

export interface Key {
  /** `c`, `?`, `ArrowDown`, with `mod+`, `shift+` or `alt+` before it, or two letters one after the other: `g h`. */
  readonly keys: string;
  readonly label: string;
  /** Whether it also works while somebody types; only for combinations. */
  readonly whileTyping?: boolean;
  /** Whether the browser acts on the key itself: it is only listed here. */
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

/** Registers `keys` while the component is mounted; later components take precedence. */
export function useKeys(keys: readonly Key[], isPage = true): void {
  const layer = useRef<Layer>({ isPage, keys });
  useEffect(() => {
    layer.current.keys = keys;
    notify();
  });
  useEffect(() => {
    const own = layer.current;
    // A page's key takes precedence over the frame's.
    if (own.isPage) layers.unshift(own);
    else layers.push(own);
    notify();
    return () => {
      layers.splice(layers.indexOf(own), 1);
      notify();
    };
  }, []);
}

/** Every key that works now, for the key sheet and the palette. */
export function useListedKeys(): typeof listed {
  return useSyncExternalStore(watch, () => listed);
}

/** Whether single letters are shortcuts; users of speech input switch that off. */
export function useSingleLetters(): boolean {
  return useSyncExternalStore(watch, singleLettersCount);
}

/** Switches single-letter keys on or off. */
export function setSingleLetters(count: boolean): void {
  remember(switchKey, count ? undefined : 'off');
  notify();
}

/** Starts listening for keys; returns a function that stops it. */
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

/** A key as people read it: `⌘K` on a Mac, `Ctrl K` elsewhere. */
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
    // Signs such as `?` are typed with Shift, so Shift does not count for them.
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

/** Whether a control handles the key itself: Enter and Space on buttons and links, arrows in groups of choices. */
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

function notify(): void {
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
