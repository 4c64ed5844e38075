import { ChevronDown } from 'lucide-react';
import { useRef, useState } from 'react';
import { messageOf } from '../../api/kith.ts';
import type { User } from '../../api/workspace.ts';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { useTexts } from '../../i18n/language.tsx';
import { useSettingTexts } from '../../i18n/setting-texts.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Picker } from '../../ui/picker.tsx';
import { Pop } from '../../ui/pop.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SettingTable } from '../setting-table.tsx';
import styles from '../settings.module.css';
import { changeUser, useRoles } from './people-data.ts';

/** Users with their roles and states; admins change both. */
export function PeopleTable({ users }: { users: readonly User[] }) {
  const { people } = useSettingTexts();
  const { reader } = useWorkspace();
  const columns = [people.person, people.role, people.state, ...(reader.isAdmin ? [''] : [])];
  const rows = users.map((user) => ({
    id: user.id,
    cells: [
      <Person key="person" user={user} />,
      <Role key="role" user={user} />,
      <span key="state" className={user.is_active ? undefined : 'faint'}>
        {user.is_active ? people.active : people.inactive}
      </span>,
      ...(reader.isAdmin ? [<Activity key="change" user={user} />] : []),
    ],
  }));
  return <SettingTable label={people.list} columns={columns} rows={rows} />;
}

function Person({ user: { id, name, email } }: { user: User }) {
  const { people } = useSettingTexts();
  const { userId } = useWorkspace();
  return (
    <span className={styles.person}>
      <Avatar name={name} />
      <span className={styles.who}>
        <span>
          <b>
            <bdi>{name}</bdi>
          </b>
          {id === userId && <span className="faint"> · {people.you}</span>}
        </span>
        <bdi className={styles.second}>{email}</bdi>
      </span>
    </span>
  );
}

/** Changes a user at once; the service's error stays until the next try. */
function useChange({ id, name }: User) {
  const { shell } = useTexts();
  const { userId } = useWorkspace();
  const [problem, setProblem] = useState<string>();
  const change = async (to: Parameters<typeof changeUser>[1], back: typeof to, text: string) => {
    setProblem(undefined);
    try {
      await changeUser(id, to);
      // A new role means another workspace, so everything is loaded again.
      if (id === userId) return location.reload();
      const undo = () =>
        void changeUser(id, back).catch((error: unknown) => toast({ text: messageOf(error), isBad: true }));
      toast({ text, action: { label: shell.undo, run: undo } });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return { name, change, problemLine: <Problem text={problem} /> };
}

function Role({ user }: { user: User }) {
  const { people } = useSettingTexts();
  const { reader } = useWorkspace();
  const { data } = useRoles();
  const { name, change, problemLine } = useChange(user);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const role = data?.roles.find(({ id }) => id === user.role_id)?.name ?? '';
  if (!reader.isAdmin) return <bdi>{role}</bdi>;
  const pick = (wanted: string) => {
    setOpen(false);
    if (wanted !== role) void change({ role: wanted }, { role }, people.isNow(name, wanted));
  };
  return (
    <span className={`${styles.who} ${styles.flush}`}>
      <Button
        ref={button}
        kind="bare"
        aria-label={people.roleOf(name, role)}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <bdi>{role}</bdi>
        <ChevronDown size={14} />
      </Button>
      {problemLine}
      {isOpen && (
        <Pop at={button} label={people.chooseRole(name)} close={() => setOpen(false)}>
          <Picker
            label={people.chooseRole(name)}
            items={(data?.roles ?? []).map((one) => ({ id: one.name, label: one.name, isChosen: one.name === role }))}
            pick={pick}
          />
        </Pop>
      )}
    </span>
  );
}

function Activity({ user }: { user: User }) {
  const { people } = useSettingTexts();
  const { name, change, problemLine } = useChange(user);
  const isActive = user.is_active;
  return (
    <span className={`${styles.buttons} ${styles.ends}`}>
      <Button
        kind="bare"
        aria-label={isActive ? people.deactivateOne(name) : people.activateOne(name)}
        onClick={() =>
          void change(
            { is_active: !isActive },
            { is_active: isActive },
            isActive ? people.deactivated(name) : people.activated(name),
          )
        }
      >
        {isActive ? people.deactivate : people.activate}
      </Button>
      {problemLine}
    </span>
  );
}
