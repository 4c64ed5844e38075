/**
 * Messages to PostgreSQL as bytes, one behind the other: what a batch of statements says goes to the socket in one piece. Each
 * piece costs more than the bytes of a small message.
 */
import type { Value } from './sql.ts';
import { wireText } from './bind.ts';

const codes = { parse: 0x50, bind: 0x42, execute: 0x45, close: 0x43, sync: 0x53 } as const;
const statementCode = 0x53;
/** Bytes that a character has at most. */
const mostOfCharacter = 3;
const usualBytes = 65_536;
/** Room for the numbers that stand before and after a text. */
const slack = 32;

/** What was written is taken as a whole; values and columns are text. */
export class Messages {
  #bytes = Buffer.allocUnsafeSlow(usualBytes);
  #end = 0;

  /** Forgets what was written and not taken: where writing it failed, half of a message is left. */
  clear(): void {
    this.#end = 0;
  }

  /** Has `text` parsed as the statement of this name; the unnamed one where there is none. */
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

  /** Has the server keep the statement no longer. */
  close(name: string): void {
    const start = this.#begin(codes.close);
    this.#bytes[this.#end++] = statementCode;
    this.#name(name);
    this.#finish(start);
  }

  sync(): void {
    this.#finish(this.#begin(codes.sync));
  }

  /** All that was written since it was taken last. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#end));
    this.#end = 0;
    if (this.#bytes.length > usualBytes) this.#bytes = Buffer.allocUnsafeSlow(usualBytes);
    return taken;
  }

  /** Where the message begins. */
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
