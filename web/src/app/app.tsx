/** The application: what is around every page, and what is shown until the workspace is known. */
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { keys, leaveWhereSignedOut, queries } from '../api/queries.ts';
import { loadWorkspace } from '../api/load-workspace.ts';
import { LanguageProvider } from '../i18n/language.tsx';
import { Failure } from '../ui/failure.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { router } from './router.tsx';
import { WorkspaceProvider } from './workspace-context.tsx';

// The page's own code comes while the workspace is asked for.
void router.load();

/** All of it. */
export function App() {
  return (
    <LanguageProvider>
      <QueryClientProvider client={queries}>
        <Signed />
        <Toasts />
      </QueryClientProvider>
    </LanguageProvider>
  );
}

function Signed() {
  const { data, error, refetch } = useQuery({ queryKey: keys.workspace, queryFn: loadWorkspace, staleTime: Infinity });
  const isKnown = data !== undefined;
  // On a page that is there, something may be typed: its frame says that one has to sign in again.
  useEffect(() => {
    if (!isKnown) leaveWhereSignedOut(error);
  }, [error, isKnown]);
  if (data)
    return (
      <WorkspaceProvider workspace={data}>
        <RouterProvider router={router} />
      </WorkspaceProvider>
    );
  return error ? <Failure error={error} again={() => void refetch()} /> : <div className="frame" aria-busy="true" />;
}
