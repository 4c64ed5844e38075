import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/records/csv/text.ts';
import { collect, pieces } from './csv-files.ts';

const megabyte = 1024 * 1024;

async function decoded(bytes: Uint8Array, size?: number): Promise<string> {
  return (await collect(decodeText(pieces(bytes, size)))).join('');
}

function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

describe('decodeText', () => {
  const text = 'Zoë,日本,😀\r\n';
  const encodings = {
    'UTF-8': Buffer.from(text),
    'UTF-8 with a byte order mark': Buffer.from(`\ufeff${text}`),
    'UTF-16 little endian': Buffer.from(`\ufeff${text}`, 'utf16le'),
    'UTF-16 big endian': utf16be(`\ufeff${text}`),
  };
  for (const [name, bytes] of Object.entries(encodings)) {
    it(`reads ${name}, wherever it is cut`, async () => {
      for (let size = 1; size <= bytes.length; size++) expect(await decoded(bytes, size)).toBe(text);
    });
  }

  it('reads what is not UTF-8 as windows-1252', async () => {
    expect(await decoded(Buffer.from([0x5a, 0x6f, 0xeb, 0x20, 0x80, 0x35]))).toBe('Zoë €5');
  });

  it('gives nothing for an empty file', async () => {
    expect(await decoded(Buffer.alloc(0))).toBe('');
  });

  it('keeps a character that the look-ahead cuts in two', async () => {
    const long = `${'x'.repeat(megabyte - 1)}é${'y'.repeat(10)}`;
    expect(await decoded(Buffer.from(long), 64 * 1024)).toBe(long);
  });

  it('refuses a file that stops being UTF-8 later, and says where', async () => {
    const place = megabyte + 5000;
    const bytes = Buffer.concat([Buffer.alloc(place, 'a'), Buffer.from([0xeb, 0x20]), Buffer.alloc(100, 'b')]);
    await expect(decoded(bytes, 64 * 1024)).rejects.toThrow(`byte ${place}`);
  });

  it('refuses a file that ends in the middle of a character', async () => {
    const bytes = Buffer.concat([Buffer.alloc(megabyte, 'a'), Buffer.from([0xe6, 0x97])]);
    await expect(decoded(bytes, megabyte)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('closes what it reads from when the reader has had enough', async () => {
    let closed = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.alloc(megabyte, 'a');
      } finally {
        closed = true;
      }
    }
    for await (const piece of decodeText(source())) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect(closed).toBe(true);
  });
});
