/** A value that is wrong is told once, by the name under which it was given. */
import { describe, expect, it } from 'vitest';
import { create, expectError } from './records.ts';
import { admin, useStage } from './stage.ts';

useStage(async () => {});

describe('a value that does not fit', () => {
  it('of a position is told by the name that it was given', async () => {
    const deal = await create(admin, 'opportunities', { name: 'Pumps' });
    for (const [name, wanted] of [
      ['pipeline_id', 'a pipeline with steps'],
      ['pipeline_step_id', 'a step'],
      ['pipeline', 'a step'],
    ] as const) {
      const reply = await admin.put(`/records/opportunities/${deal.id}`, { [name]: null });
      expectError(reply, 'VALIDATION_ERROR');
      expect(reply.json.field_errors).toEqual([{ field: name, message: `${name} must be ${wanted}` }]);
    }
  });

  it('of a choice is told once', async () => {
    const { note_id: id } = (await admin.post('/notes', { content: 'x' })).json;
    const reply = await admin.put(`/notes/${id}`, { data: { visibility: null } });
    expectError(reply, 'VALIDATION_ERROR');
    const message = 'data.visibility must be workspace or private';
    expect(reply.json.field_errors).toEqual([{ field: 'data.visibility', message }]);
  });

  it.each([
    ['/tasks?assigned_to=ada', 'assigned_to', 'GET /api/v1/users?search=ada looks for it'],
    ['/tasks/stats?user_id=ada', 'user_id', 'GET /api/v1/users?search=ada looks for it'],
  ])('of the user in %s is told by the name of the parameter', async (path, name, where) => {
    const reply = await admin.get(path);
    expectError(reply, 'VALIDATION_ERROR');
    const message = `${name} must be the id of a workspace user, not "ada"; ${where}`;
    expect([reply.json.message, reply.json.field_errors]).toEqual([message, [{ field: name, message }]]);
    expect((await admin.get(path.replace('=ada', '=$me'))).status).toBe(200);
  });

  it('of a record without a type is told with all types that it can have', async () => {
    const reply = await admin.get('/tasks', { linked_entity_id: 'abc' });
    expectError(reply, 'RECORD_NOT_FOUND');
    expect(reply.json.message).toBe('No record "abc" in contacts, companies, opportunities');
  });
});
