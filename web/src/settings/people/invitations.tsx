import { useQuery } from '@tanstack/react-query';
import type { InvitationsListAnswer } from '../../../../client/index.js';
import { kith } from '../../api/kith.ts';
import { keys, queries } from '../../api/queries.ts';
import { useFormats } from '../../i18n/language.tsx';
import { useSettingTexts } from '../../i18n/setting-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { RowLines } from '../../ui/row-lines.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useWork } from '../../ui/use-work.ts';
import { Problem } from '../../ui/problem.tsx';
import { SettingPart } from '../setting.tsx';
import { SettingTable } from '../setting-table.tsx';
import styles from '../settings.module.css';

/** Pending invitations; each can be withdrawn. */
export function Invitations() {
  const { people } = useSettingTexts();
  const { data, error, refetch } = useQuery({ queryKey: keys.invitations, queryFn: () => kith.invitations.list() });
  return (
    <SettingPart title={people.invitations}>
      {error && <Failure error={error} again={() => void refetch()} />}
      {!data && !error && <RowLines count={2} />}
      {data?.data.length === 0 && <p className="dim">{people.noInvitation}</p>}
      {data && data.data.length > 0 && <Pending invitations={data.data} />}
    </SettingPart>
  );
}

type Invitation = InvitationsListAnswer['data'][number];

function Pending({ invitations }: { invitations: readonly Invitation[] }) {
  const { people } = useSettingTexts();
  const rows = invitations.map((invitation) => ({
    id: invitation.id,
    cells: [
      <b key="email">
        <bdi>{invitation.email}</bdi>
      </b>,
      <bdi key="role">{invitation.role}</bdi>,
      <End key="end" at={invitation.expires_at} />,
      <Withdraw key="withdraw" invitation={invitation} />,
    ],
  }));
  const columns = [people.email, people.role, people.goodUntil, ''];
  return <SettingTable label={people.invitations} columns={columns} rows={rows} />;
}

function End({ at }: { at: string }) {
  const { people } = useSettingTexts();
  const formats = useFormats();
  if (Date.parse(at) > Date.now()) return <time dateTime={at}>{formats.moment(at)}</time>;
  return <span className="faint">{people.over(formats.day(at))}</span>;
}

function Withdraw({ invitation: { id, email } }: { invitation: Invitation }) {
  const { people } = useSettingTexts();
  const { isWorking, problem, run } = useWork();
  const withdraw = async () => {
    await kith.invitation.withdraw(id);
    toast({ text: people.withdrawn(email) });
    await queries.invalidateQueries({ queryKey: keys.invitations });
  };
  return (
    <span className={`${styles.buttons} ${styles.ends}`}>
      <Button
        kind="bare"
        isWorking={isWorking}
        aria-label={people.withdrawOne(email)}
        onClick={() => void run(withdraw)}
      >
        {people.withdraw}
      </Button>
      <Problem text={problem} />
    </span>
  );
}
