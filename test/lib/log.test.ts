import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/lib/log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => void lines.push(line) }));
  return lines;
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
