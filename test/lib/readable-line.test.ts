import { describe, expect, it } from 'vitest';
import { errors } from '../../src/errors.ts';
import { createLog } from '../../src/lib/log.ts';
import { readableLine } from '../../src/lib/readable-line.ts';

const plain = Object.assign(Object.create(process.stderr), { isTTY: false }) as NodeJS.WriteStream;

function readable(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  write(createLog('debug', { write: (line) => (text += readableLine(line, plain)) }));
  return text;
}

describe('a line of the log on a terminal', () => {
  it('is its time, level, message and keys', () => {
    const text = readable((log) => log.warn({ route: '/api/v1/me', ms: 0.5, reason: 'two words', list: [1] }, 'Slow'));
    expect(text).toMatch(/^\d\d:\d\d:\d\d warn {2}Slow route=\/api\/v1\/me ms=0\.5 reason="two words" list=\[1\]\n$/);
  });

  it('counts what a long list holds', () => {
    const applied = Array.from({ length: 12 }, (_, version) => ({ version }));
    expect(readable((log) => log.info({ applied }, 'Done'))).toMatch(/ applied=\(12\)\n$/);
  });

  it('has the stack of an error below, and what the error is about beside', () => {
    const text = readable((log) =>
      log.error({ requestId: 'r-1', error: errors.internal(new Error('why')) }, 'A defect'),
    );
    const [first, second] = text.split('\n');
    expect(first).toMatch(
      / error A defect requestId=r-1 type=KithError code=INTERNAL_ERROR message=".*" cause=\{.*\}$/,
    );
    expect(second).toMatch(/^ {2}at /);
  });

  it('cannot steer the terminal, whatever it holds', () => {
    const evil = 'a\u001b[2Jb\u009bc\rd\ne\u202ef';
    const text = readable((log) => log.error({ [evil]: evil, error: new Error(evil) }, evil));
    // oxlint-disable-next-line no-control-regex -- these must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text).toContain('a\\u001b[2Jb\\u009bc\\u000dd\\u000ae\\u202ef');
    expect(
      text
        .split('\n')
        .slice(1, -1)
        .every((line) => line.startsWith('  at ')),
    ).toBe(true);
  });

  it('never holds a token', () => {
    expect(readable((log) => log.info({ token: 'svc_abc.def.ghi' }, 'svc_abc.def.ghi'))).not.toContain('abc');
  });
});
