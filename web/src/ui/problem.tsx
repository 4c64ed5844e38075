import form from './form.module.css';

/** What the service, or the form, says against what was done; nothing where nothing is said. */
export function Problem({ text }: { text: string | undefined }) {
  if (text === undefined) return undefined;
  return (
    <p role="alert" className={form.error}>
      {text}
    </p>
  );
}
