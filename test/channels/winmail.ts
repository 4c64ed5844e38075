/** `winmail.dat` for tests, put together as the format is documented. [MS-OXTNEF] */
import { mailOf, type MailParts } from './mails.ts';

/** A property of the message: its type, its number, or its set with the number or name that it has there, and its bytes. */
export interface TnefProperty {
  readonly type: number;
  readonly id: number | readonly [set: string, name: number | string];
  readonly value: Buffer;
}

export const sets = {
  appointment: '0220060000000000c000000000000046',
  meeting: '90dad86e0b451b1098da00aa003f1305',
};

export const unicode = (id: TnefProperty['id'], text: string): TnefProperty => ({
  type: 0x1f,
  id,
  value: Buffer.from(`${text}\0`, 'utf16le'),
});
export const binary = (id: TnefProperty['id'], value: Uint8Array): TnefProperty => ({
  type: 0x1_02,
  id,
  value: Buffer.from(value),
});
export const whole = (id: TnefProperty['id'], value: number): TnefProperty => ({ type: 3, id, value: dword(value) });
export const flag = (id: TnefProperty['id'], is: boolean): TnefProperty => ({
  type: 0x0b,
  id,
  value: dword(is ? 1 : 0),
});
export const moment = (id: TnefProperty['id'], iso: string): TnefProperty => {
  const value = Buffer.alloc(8);
  value.writeBigUInt64LE(BigInt(Date.parse(iso) - Date.UTC(1601, 0, 1)) * 10_000n);
  return { type: 0x40, id, value };
};

export function dword(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function word(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

export interface TnefParts {
  readonly kind?: string;
  /** In the code page. */
  readonly body?: Buffer;
  readonly codePage?: number;
  readonly properties?: readonly TnefProperty[];
}

/** The bytes of the attachment. */
export function tnefOf({ kind = 'IPM.Note', body, codePage = 1_252, properties = [] }: TnefParts): Buffer {
  const all = [dword(properties.length), ...properties.flatMap(propertyBytes)];
  return Buffer.concat([
    dword(0x22_3e_9f_78),
    word(1),
    attribute(0x8_90_06, dword(0x1_00_00)),
    attribute(0x6_90_07, Buffer.concat([dword(codePage), dword(0)])),
    attribute(0x7_80_08, Buffer.from(`${kind}\0`, 'latin1')),
    ...(body ? [attribute(0x2_80_0c, body)] : []),
    attribute(0x6_90_03, Buffer.concat(all)),
  ]);
}

function attribute(id: number, data: Buffer): Buffer {
  const sum = data.reduce((total, byte) => (total + byte) & 0xff_ff, 0);
  return Buffer.concat([Buffer.of(1), dword(id), dword(data.length), data, word(sum)]);
}

function propertyBytes({ type, id, value }: TnefProperty): readonly Buffer[] {
  const isLong = [0x1e, 0x1f, 0x1_02].includes(type);
  const data = [...(isLong ? [dword(1), dword(value.length)] : []), padded(value)];
  if (typeof id === 'number') return [word(type), word(id), ...data];
  const [set, name] = id;
  const written = Buffer.from(`${name}\0`, 'utf16le');
  const named = typeof name === 'number' ? [dword(0), dword(name)] : [dword(1), dword(written.length), padded(written)];
  return [word(type), word(0x80_00), Buffer.from(set, 'hex'), ...named, ...data];
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
}

/** RTF as it is without being compressed, or with each byte as it is. [MS-OXRTFCP] */
export function rtfBytes(rtf: string, isCompressed = false): Buffer {
  const raw = Buffer.from(rtf, 'latin1');
  const parts: Buffer[] = [];
  for (let at = 0; at < raw.length; at += 8) parts.push(Buffer.of(0), raw.subarray(at, at + 8));
  const data = isCompressed ? Buffer.concat(parts) : raw;
  const kind = Buffer.from(isCompressed ? 'LZFu' : 'MELA', 'latin1');
  return Buffer.concat([dword(data.length + 12), dword(raw.length), kind, dword(0), data]);
}

/** A mail that brings it: beside a text, or in the place of all that the mail says. */
export function winmailOf(bytes: Buffer, { text, ...parts }: MailParts): string {
  const file = bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  const head = 'Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="winmail.dat"';
  const type = `Content-Type: application/ms-tnef; name="winmail.dat"\r\n${head}`;
  const whole_ = mailOf({ ...parts, text: '' });
  if (text === undefined) return whole_.replace('Content-Type: text/plain; charset=utf-8', type).concat(file, '\r\n');
  return whole_
    .replace('Content-Type: text/plain; charset=utf-8', 'Content-Type: multipart/mixed; boundary="b"')
    .concat(
      `--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n--b\r\n${type}\r\n\r\n${file}\r\n--b--\r\n`,
    );
}
