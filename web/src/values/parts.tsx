/** Parts that cells and pages share. */
import { Link } from '@tanstack/react-router';
import type { Field, KithRecord } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Chip, colorAt, Dot } from '../ui/chip.tsx';
import { optionAt } from './options.ts';
import { hrefOf, textIn, type Ref } from './shapes.ts';
import styles from './value.module.css';

/** A record's name, as a link to it. */
export function RecordRef({ target, isLinked }: { target: Ref; isLinked: boolean }) {
  const { values } = useTexts();
  const { objects } = useWorkspace();
  const { object, id, display } = target;
  if (display === null) return <span className="faint">{values.notSeen}</span>;
  const isPerson = object === 'contacts';
  const shown = (
    <>
      {(isPerson || object === 'companies') && <Avatar name={display} kind={isPerson ? 'person' : 'company'} />}
      <bdi className={styles.clip}>{display}</bdi>
    </>
  );
  if (!isLinked || object === undefined || !objects.has(object)) return <span className={styles.ref}>{shown}</span>;
  return (
    <Link className={styles.ref ?? ''} to="/r/$object/$id" params={{ object, id }}>
      {shown}
    </Link>
  );
}

/** A user with avatar; one that is hidden from the reader has no name. */
export function UserRef({ target }: { target: Ref }) {
  const { users } = useWorkspace();
  const { values } = useTexts();
  const name = target.display ?? users.get(target.id)?.name;
  if (name === undefined) return <span className="faint">{values.notSeen}</span>;
  return (
    <span className={styles.ref}>
      <Avatar name={name} />
      <bdi className={styles.clip}>{name}</bdi>
    </span>
  );
}

/** An option's label; its value if the option no longer exists. */
export function Option({ field, value }: { field: Field; value: string }) {
  const index = optionAt(field, value);
  const option = field.options?.[index];
  return <Chip label={option?.label ?? value} color={index === -1 ? 'var(--c-6)' : colorAt(index, option?.color)} />;
}

/** The record's step; a ring marks won and lost steps. */
export function StepName({ record }: { record: KithRecord }) {
  const { pipelines } = useWorkspace();
  const id = textIn(record['pipeline_step_id']);
  if (id === undefined) return null;
  const steps = pipelines.find((pipeline) => pipeline.steps.some((step) => step.id === id))?.steps ?? [];
  const index = steps.findIndex((step) => step.id === id);
  const step = steps[index];
  const color = step?.kind === 'won' ? 'var(--c-4)' : step?.kind === 'lost' ? 'var(--c-6)' : colorAt(index);
  return (
    <span className={styles.step}>
      <Dot color={color} isRing={step !== undefined && step.kind !== 'ongoing'} />
      <bdi className={styles.clip}>{textIn(record['pipeline_step_id_display']) ?? step?.name ?? id}</bdi>
    </span>
  );
}

/** A rating of five stars. */
export function Stars({ count }: { count: number }) {
  const { values } = useTexts();
  const full = Math.min(5, Math.max(0, Math.round(count)));
  return (
    <span className={styles.stars} role="img" aria-label={values.stars(full)}>
      {'★'.repeat(full)}
      <span className={styles.off}>{'☆'.repeat(5 - full)}</span>
    </span>
  );
}

/** A link to a web address; anything else is plain text. */
export function WebLink({ text }: { text: string }) {
  const href = hrefOf(text);
  const shown = text.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
  if (href === undefined) return <bdi className={styles.clip}>{text}</bdi>;
  return (
    <a className={`${styles.link} ${styles.alone}`} href={href} target="_blank" rel="noreferrer noopener" title={text}>
      <bdi className={styles.clip}>{shown}</bdi>
    </a>
  );
}
