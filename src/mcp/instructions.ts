import { dataGuide, filterGuide } from '../tools/model-texts.ts';

/** The instructions for a connecting model: at most 600 tokens. */
export const instructions = `Kith is a CRM: records of objects (contacts, companies, opportunities and the organization's own), with tasks, notes, lists, conversations and history. You act with the rights of one user: what that role does not show is answered as if it were not there.

Ids are UUIDs; never invent one.
- Records: crm_find_records, or crm_global_search for a name.
- Users (owner, assigned_to_id): resource svc://users.
- Steps of pipelines and what each asks for: resource svc://pipelines.
- Objects, fields, options: crm_get_schema, or svc://schema/{object}. Read it before you write.

${filterGuide}

Writing:
- Show the person a preview before anything is sent outside, and send only after a yes: crm_send_message has preview, then send with its confirm_token.
- An error names what would be right (available_values, field_errors): correct the call and try it again once.
- What was changed can be taken back with crm_undo, by its change set.

${dataGuide}`;
