/** Parses `winmail.dat`, an attachment in which Outlook and Exchange encode a whole message. [MS-OXTNEF] */
import { BytesEnd, BytesReader } from './bytes-reader.ts';
import { textIn } from './code-pages.ts';
import { decompressRtf } from './compressed-rtf.ts';
import { readProperties, type Properties } from './properties.ts';
import { readRtf } from './read-rtf.ts';

/** A parsed message. */
export interface TnefMessage {
  /** The message class, such as `IPM.Note`; empty without one. */
  readonly kind: string;
  readonly text: string | undefined;
  readonly html: string | undefined;
  readonly properties: Properties;
  readonly codePage: number | undefined;
}

const signature = 0x22_3e_9f_78;
/** The level of attributes of the message, as opposed to its attachments. */
const messageLevel = 1;
const attributes = { kind: 0x7_80_08, body: 0x2_80_0c, properties: 0x6_90_03, codePage: 0x6_90_07 };
/** Attributes per message; each attachment has about ten. */
const mostAttributes = 10_000;
const property = { text: '1000', rtf: '1009', html: '1013', kind: '001a', htmlCodePage: '3fde', codePage: '3ffd' };

/** Parses a message as far as possible; undefined for another format. */
export function readTnef(bytes: Uint8Array): TnefMessage | undefined {
  const reader = new BytesReader(bytes);
  const found = new Map<number, Uint8Array>();
  try {
    if (reader.uint32() !== signature) return undefined;
    reader.uint16();
    for (let at = 0; at < mostAttributes && reader.left > 0; at++) {
      const level = reader.uint8();
      const attribute = reader.uint32();
      const length = reader.uint32();
      // The last value may be truncated.
      const value = reader.take(Math.min(length, reader.left));
      if (level === messageLevel && !found.has(attribute)) found.set(attribute, value);
      reader.uint16();
    }
  } catch (error) {
    if (!(error instanceof BytesEnd)) throw error;
  }
  return messageOf(found);
}

function messageOf(found: ReadonlyMap<number, Uint8Array>): TnefMessage {
  const properties = readProperties(found.get(attributes.properties) ?? new Uint8Array());
  const pages = found.get(attributes.codePage);
  const codePage = (pages && numberIn(pages)) ?? numberOf(properties, property.codePage);
  const rtf = rtfOf(properties);
  const plain = found.get(attributes.body);
  const text = textOf(properties, property.text, codePage) ?? (plain && untilEnd(textIn(codePage, plain)));
  const kind =
    textOf(properties, property.kind, codePage) ??
    untilEnd(textIn(codePage, found.get(attributes.kind) ?? new Uint8Array()));
  return {
    kind,
    text: text ?? (rtf?.isHtml === false ? rtf.text : undefined),
    html: htmlOf(properties, codePage) ?? (rtf?.isHtml ? rtf.text : undefined),
    properties,
    codePage,
  };
}

function htmlOf(properties: Properties, codePage: number | undefined): string | undefined {
  const found = properties.get(property.html);
  if (found?.type !== 0x1_02) return textOf(properties, property.html, codePage);
  return textIn(numberOf(properties, property.htmlCodePage) ?? codePage, found.bytes);
}

function rtfOf(properties: Properties) {
  const found = properties.get(property.rtf);
  const rtf = found && found.bytes.length >= 16 ? decompressRtf(found.bytes) : undefined;
  return rtf && readRtf(rtf);
}

/** The text of a property; undefined without one. */
export function textOf(properties: Properties, name: string, codePage: number | undefined): string | undefined {
  const found = properties.get(name);
  if (found?.type === 0x1f) return untilEnd(textIn(1_200, found.bytes));
  return found?.type === 0x1e ? untilEnd(textIn(codePage, found.bytes)) : undefined;
}

/** The integer of a property; undefined without one. */
export function numberOf(properties: Properties, name: string): number | undefined {
  const found = properties.get(name);
  return found && [0x02, 0x03, 0x0b].includes(found.type) ? numberIn(found.bytes) : undefined;
}

function numberIn(bytes: Uint8Array): number | undefined {
  return bytes.length < 4 ? undefined : new BytesReader(bytes).uint32();
}

function untilEnd(text: string): string {
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}
