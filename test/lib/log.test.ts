import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { errors } from '../../src/errors.ts';
import { createLog } from '../../src/lib/log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => void lines.push(line) }));
  return lines;
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
}

describe('the log', () => {
  it('is one JSON line per event, with its time, from the level on', () => {
    const lines = logged((log) => {
      log.debug({}, 'too little');
      log.warn({ requestId: 'r-1', text: 'two\nlines' }, 'watch out');
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'warn',
      requestId: 'r-1',
      text: 'two\nlines',
      msg: 'watch out',
    });
    expect(JSON.parse(lines[0]!).time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('never holds a token, wherever it stands', () => {
    const token = 'svc_eyJhbGciOi.eyJqdGk-_x.c2lnbmF0dXJl';
    const [line] = logged((log) =>
      log.error({ error: new Error(`bad ${token}`), [token]: { deep: [token] } }, `with ${token}`),
    );
    expect(line).not.toContain('eyJ');
    expect(line).toContain('svc_…');
    expect(JSON.parse(line!).level).toBe('error');
  });

  it.each<[string, unknown, object]>([
    [
      'PostgreSQL of a value',
      Object.assign(new Error('invalid input syntax for type uuid: "mark\n    at mark"'), {
        code: '22P02',
        severity: 'ERROR',
        where: 'mark',
        routine: 'string_to_uuid',
      }),
      { code: '22P02', message: 'PostgreSQL refuses a value (22P02)', routine: 'string_to_uuid' },
    ],
    [
      'PostgreSQL of a constraint',
      Object.assign(new Error('duplicate key value violates unique constraint "u"'), {
        code: '23505',
        severity: 'ERROR',
        detail: 'Key (email)=(mark) exists',
        table: 'contacts',
        constraint: 'u',
      }),
      { code: '23505', message: 'PostgreSQL refuses a value (23505)', table: 'contacts', constraint: 'u' },
    ],
    ['a refusal', errors.validation('level "mark" is none of its options'), { code: 'VALIDATION_ERROR' }],
    ['a parser', thrownBy(() => JSON.parse('{"mark')), { type: 'SyntaxError' }],
    ['a conversion', thrownBy(() => BigInt('mark')), { type: 'SyntaxError' }],
    ['a missing key', thrownBy(() => Reflect.get(Object('x') as object, 'y').mark), { type: 'TypeError' }],
    ['what is no error', 'mark', 'string was thrown' as never],
  ])('does not quote a value that %s names, and says where it was', (_what, error, told) => {
    const [line = ''] = logged((log) => log.error({ error: new Error('failed', { cause: error }) }, 'failed'));
    expect(line).not.toContain('mark');
    const { cause } = JSON.parse(line).error;
    if (typeof told === 'string') expect(cause).toBe(told);
    else expect(cause).toMatchObject(told);
    if (error instanceof Error) expect(cause.stack).toMatch(/^at .*log\.test\.ts/s);
  });

  it('has what PostgreSQL says of anything but values', () => {
    const error = Object.assign(new Error('column r.x does not exist'), { code: '42703', severity: 'ERROR' });
    const [line = ''] = logged((log) => log.error({ error }, 'failed'));
    expect(JSON.parse(line).error.message).toBe('column r.x does not exist');
  });

  it('has the last words of a process, instead of all that the error holds', async () => {
    const source = new URL('../../src/lib/', import.meta.url).href;
    const script = `
      import { createLog } from '${source}log.ts';
      import { logLastWords } from '${source}last-words.ts';
      logLastWords(createLog('error'));
      Promise.reject(Object.assign(new Error('key'), { code: '23505', severity: 'ERROR', detail: 'Key (email)=(mark)' }));`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect([child.status, child.stdout]).toEqual([1, '']);
    expect(child.stderr).not.toContain('mark');
    expect(JSON.parse(child.stderr)).toMatchObject({ msg: 'A defect ends the process', error: { code: '23505' } });
  });

  it('describes exceptions with their causes, without what a database quotes of records', () => {
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (email)=(bob@globex.test) exists',
    });
    const [line] = logged((log) => log.error({ error: new Error('write failed', { cause }) }, 'failed'));
    expect(JSON.parse(line!).error).toMatchObject({
      type: 'Error',
      message: 'write failed',
      cause: { code: '23505', message: 'duplicate key' },
    });
    expect(line).toContain('log.test.ts');
    expect(line).not.toContain('bob@');
  });
});
