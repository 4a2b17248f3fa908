import { useMemo } from 'preact/hooks';
import { LegacyView } from '../app/legacy-view.tsx';
import { usePage } from '../app/page-context.ts';
import { type TablePanelOptions, tablePanel } from './table-panel.ts';

/** The table of nodes until the overview is made of components. */
export function OverviewTable({ title, caption, oneHost, cells, filters }: TablePanelOptions) {
  const page = usePage();
  const asked = JSON.stringify(filters);
  const view = useMemo(
    () => ({
      title: () => title,
      render: (context: Parameters<typeof tablePanel>[0]) => [
        tablePanel(context, context.scope, { title, caption, oneHost, cells, filters: JSON.parse(asked) }),
      ],
    }),
    [title, caption, oneHost, cells, asked],
  );
  return <LegacyView view={view} page={page} />;
}
