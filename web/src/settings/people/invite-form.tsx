import { useRef, useState, type SyntheticEvent } from 'react';
import { kith } from '../../api/kith.ts';
import { keys, queries } from '../../api/queries.ts';
import { useKeys } from '../../app/keys.ts';
import { useSettingTexts } from '../../i18n/setting-texts.ts';
import { Button } from '../../ui/button.tsx';
import { sendOnEnter } from '../../ui/send-on-enter.ts';
import { toast } from '../../ui/toasts.tsx';
import { useWork } from '../../ui/use-work.ts';
import { Problem } from '../../ui/problem.tsx';
import form from '../../ui/form.module.css';
import overview from '../../ui/overview.module.css';
import { useRoles } from './people-data.ts';

/** The built-in role of people who work with all records but are not admins. */
const usualRole = 'Member';

/** The form's values, and the service's errors. */
function useInvitation() {
  const { people } = useSettingTexts();
  const [email, setEmail] = useState('');
  const { isWorking, problem, run } = useWork();
  const send = (role: string) =>
    run(async () => {
      await kith.invitation.create({ email: email.trim(), role });
      setEmail('');
      toast({ text: people.invited(email.trim()) });
      await queries.invalidateQueries({ queryKey: keys.invitations });
    });
  return { email, setEmail, problem, isWorking, send };
}

/** An email address and a role: Enter sends the invitation. Typed values stay if the service refuses. */
export function InviteForm() {
  const { people } = useSettingTexts();
  const { data } = useRoles();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setRole] = useState<string>();
  const { email, setEmail, problem, isWorking, send } = useInvitation();
  useKeys([{ keys: 'c', label: people.invite, run: () => input.current?.focus() }]);
  const names = data?.roles.map(({ name }) => name) ?? [];
  const role = chosen ?? (names.includes(usualRole) ? usualRole : (names[0] ?? ''));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void send(role);
  };
  return (
    <form className={overview.create} aria-label={people.invite} onSubmit={submit}>
      <input
        ref={input}
        type="email"
        className={form.input}
        aria-label={people.email}
        placeholder={people.email}
        autoComplete="off"
        required
        maxLength={320}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <select
        className={form.select}
        aria-label={people.role}
        value={role}
        onKeyDown={sendOnEnter}
        onChange={({ target }) => setRole(target.value)}
      >
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <Button type="submit" kind="main" isWorking={isWorking}>
        {people.send}
      </Button>
      <Problem text={problem} />
    </form>
  );
}
