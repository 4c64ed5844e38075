/**
 * Encodes messages to PostgreSQL contiguously, so that a batch of statements is one write to the socket: a write
 * costs more than the bytes of a small message.
 */
import type { Value } from './sql.ts';
import { wireText } from './bind.ts';

const codes = { parse: 0x50, bind: 0x42, execute: 0x45, close: 0x43, sync: 0x53 } as const;
const statementCode = 0x53;
/** Maximum bytes per character. */
const mostOfCharacter = 3;
const initialBytes = 65_536;
/** Room for the numbers around a text. */
const slack = 32;

/** A buffer of messages, taken as a whole; values and columns use the text format. */
export class Messages {
  #bytes = Buffer.allocUnsafeSlow(initialBytes);
  #end = 0;

  /** Discards what was not taken: after a failed write, half a message may be left. */
  clear(): void {
    this.#end = 0;
  }

  /** Adds a Parse of `text` under this name, or as the unnamed statement. */
  parse(name: string | undefined, text: string): void {
    const start = this.#begin(codes.parse);
    this.#name(name ?? '');
    this.#name(text);
    this.#int16(0);
    this.#finish(start);
  }

  bind(name: string | undefined, values: readonly Value[]): void {
    const start = this.#begin(codes.bind);
    this.#name('');
    this.#name(name ?? '');
    this.#int16(0);
    this.#int16(values.length);
    for (const value of values) this.#value(wireText(value));
    this.#int16(0);
    this.#finish(start);
  }

  execute(): void {
    const start = this.#begin(codes.execute);
    this.#name('');
    this.#int32(0);
    this.#finish(start);
  }

  /** Adds a Close of the prepared statement. */
  close(name: string): void {
    const start = this.#begin(codes.close);
    this.#bytes[this.#end++] = statementCode;
    this.#name(name);
    this.#finish(start);
  }

  sync(): void {
    this.#finish(this.#begin(codes.sync));
  }

  /** Returns everything written since the last call. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#end));
    this.#end = 0;
    if (this.#bytes.length > initialBytes) this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
    return taken;
  }

  /** The index where the message begins. */
  #begin(code: number): number {
    this.#reserve(slack);
    const start = this.#end;
    this.#bytes[start] = code;
    this.#end += 5;
    return start;
  }

  #finish(start: number): void {
    this.#bytes.writeInt32BE(this.#end - start - 1, start + 1);
  }

  #name(text: string): void {
    this.#reserve(mostOfCharacter * text.length + slack);
    this.#end += this.#bytes.write(text, this.#end);
    this.#bytes[this.#end++] = 0;
  }

  #value(text: string | null): void {
    this.#reserve(mostOfCharacter * (text?.length ?? 0) + slack);
    if (text === null) return this.#int32(-1);
    const length = this.#bytes.write(text, this.#end + 4);
    this.#int32(length);
    this.#end += length;
  }

  #int16(value: number): void {
    this.#end = this.#bytes.writeUInt16BE(value, this.#end);
  }

  #int32(value: number): void {
    this.#end = this.#bytes.writeInt32BE(value, this.#end);
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#end + bytes));
    larger.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = larger;
  }
}
