/** A document that was at work while the workspace changed. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openApiDocument } from '../../src/describe/openapi.ts';
import { cacheSizes } from '../../src/lib/caches.ts';
import { startKith, type TestKith } from '../support/kith.ts';

vi.mock(import('../../src/describe/openapi.ts'), async (actual) => {
  const original = await actual();
  return { ...original, openApiDocument: vi.fn<typeof openApiDocument>(original.openApiDocument) };
});

let kith: TestKith;
beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());

const kept = () => cacheSizes().get('openapi_documents')?.entries ?? 0;

it('is answered to who waits for it, and not kept', async () => {
  const { admin } = await kith.organization();
  const original = vi.mocked(openApiDocument).getMockImplementation()!;
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  vi.mocked(openApiDocument).mockImplementationOnce(async (...given) => {
    begun.resolve();
    await held.promise;
    return original(...given);
  });
  const asked = admin.get('/openapi.json');
  await begun.promise;
  const field = { name: 'made_anew', label: 'Made anew', type: 'TEXT' };
  const applied = await admin.post('/manifest', { objects: [{ name: 'companies', fields: [field] }] });
  expect(applied.status, applied.text).toBe(200);
  const { text } = await admin.get('/openapi.json');
  expect([text.includes('made_anew'), kept()]).toEqual([true, 1]);
  held.resolve();
  expect((await asked).text).not.toContain('made_anew');
  expect(kept()).toBe(1);
});
