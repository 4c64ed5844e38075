import { useWorkspace } from '../app/workspace-context.tsx';
import { useSettingTexts } from '../i18n/setting-texts.ts';
import { Invitations } from './people/invitations.tsx';
import { InviteForm } from './people/invite-form.tsx';
import { usePeople } from './people/people-data.ts';
import { PeopleTable } from './people/people-table.tsx';
import { ReadOnly } from './read-only.tsx';
import { Setting } from './setting.tsx';
import { SettingList } from './setting-list.tsx';

/** The users of the organization; admins invite, change and deactivate them. */
export function PeoplePage() {
  const { people } = useSettingTexts();
  const { reader } = useWorkspace();
  const found = usePeople();
  return (
    <Setting page="people" lead={reader.isAdmin ? people.lead : <ReadOnly reason={people.locked} />}>
      {reader.isAdmin && <InviteForm />}
      <div>
        <SettingList found={found}>{(users) => <PeopleTable users={users} />}</SettingList>
      </div>
      {reader.isAdmin && <Invitations />}
    </Setting>
  );
}
