import { useWorkspace } from '../app/workspace-context.tsx';
import { useSettingTexts } from '../i18n/setting-texts.ts';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { Invitations } from './people/invitations.tsx';
import { InviteForm } from './people/invite-form.tsx';
import { usePeople } from './people/people-data.ts';
import { PeopleTable } from './people/people-table.tsx';
import { ReadOnly } from './read-only.tsx';
import { Setting } from './setting.tsx';

/** Who is in the organization; its admins invite, change and deactivate. */
export function PeoplePage() {
  const { people, shell } = useSettingTexts();
  const { reader } = useWorkspace();
  const { data, error, refetch, hasNextPage, fetchNextPage } = usePeople();
  return (
    <Setting page="people" lead={reader.isAdmin ? people.lead : <ReadOnly reason={people.locked} />}>
      {reader.isAdmin && <InviteForm />}
      <div>
        {error && <Failure error={error} again={() => void refetch()} />}
        {!data && !error && <RowLines count={4} />}
        {data && <PeopleTable users={data.pages.flatMap((page) => page.data)} />}
        {hasNextPage && <Button onClick={() => void fetchNextPage()}>{shell.showMore}</Button>}
      </div>
      {reader.isAdmin && <Invitations />}
    </Setting>
  );
}
