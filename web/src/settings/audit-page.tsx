import { Setting } from './setting.tsx';

/** The page. */
export function AuditPage() {
  return <Setting page="audit" />;
}
