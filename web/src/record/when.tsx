import { useFormats } from '../i18n/language.tsx';
import styles from './timeline.module.css';

/** When it was: the day, and the moment in its title. */
export function When({ date }: { date: string }) {
  const formats = useFormats();
  return (
    <time className={styles.when} dateTime={date} title={`${formats.longDay(date)} ${formats.time(date)}`}>
      {formats.day(date)}
    </time>
  );
}
