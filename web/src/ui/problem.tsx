import form from './form.module.css';

/** An error of the service or the form; nothing if there is none. */
export function Problem({ text }: { text: string | undefined }) {
  if (text === undefined) return undefined;
  return (
    <p role="alert" className={form.error}>
      {text}
    </p>
  );
}
