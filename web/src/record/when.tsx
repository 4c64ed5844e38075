import { useFormats } from '../i18n/language.tsx';
import styles from './timeline.module.css';

/** A day; the time is in its title. */
export function When({ date }: { date: string }) {
  const formats = useFormats();
  return (
    <time className={styles.when} dateTime={date} title={`${formats.longDay(date)} ${formats.time(date)}`}>
      {formats.day(date)}
    </time>
  );
}
