import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { useTitle } from '../app/use-title.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { ChoosingPage } from './choosing-page.tsx';
import { OutcomePage } from './outcome-page.tsx';
import type { Job } from './read-file.ts';

/** Poll interval of a running import. */
const pollMs = 700;

/** One import: the choices and dry run before it, its progress, and its outcome. */
export function ImportPage() {
  const { shell, imports } = useTexts();
  const { reader, objects } = useWorkspace();
  const { job: id = '' } = useParams({ strict: false });
  const job = useQuery({
    queryKey: [...keys.imports, id],
    queryFn: () => kith.imports.get(id),
    enabled: reader.isAdmin,
    refetchInterval: ({ state }) => (isGoing(state.data?.status) ? pollMs : false),
  });
  const object = job.data && (objects.get(job.data.object_name)?.label ?? job.data.object_name);
  const title = object === undefined ? shell.imports : imports.title(object);
  useTitle(title);
  if (job.data && ['analyzed', 'previewed'].includes(job.data.status))
    return <ChoosingPage key={id} job={job.data} title={title} />;
  if (job.data) return <OutcomePage job={job.data} title={title} />;
  return (
    <>
      <TopBar title={title} />
      {!reader.isAdmin && <Empty>{imports.adminsOnly}</Empty>}
      {job.error && <Failure error={job.error} again={() => void job.refetch()} />}
      {job.error && <Empty action={<Link to="/import">{shell.imports}</Link>}>{imports.expired}</Empty>}
    </>
  );
}

function isGoing(status: Job['status'] | undefined): boolean {
  return status === 'queued' || status === 'running';
}
