import type { ComponentChildren } from 'preact';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { type PageContext, usePage } from '../app/page-context.ts';
import { Panel } from '../components/panel.tsx';
import { viewQuestion } from '../model/summary-queries.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';

/** The subject of a part of a host's page. */
export interface About {
  readonly host: string;
  /** Null for all types together. */
  readonly type: string | null;
  /** The type as `?kind=`. */
  readonly kind: string;
  /** Of the chosen type, or of all types. */
  readonly cell: SummaryCell;
  /** Caption of exported charts: `erp.example.com · document · …`. */
  readonly of: string;
}

interface HostPanelProps<Value> {
  readonly about: About;
  readonly name: string;
  /** API path of the question, and its parameters besides host, type, range and filters. */
  readonly path: string;
  readonly query?: string;
  readonly children: (value: Value) => ComponentChildren;
}

/** A part of a host's page with a question of its own. */
export function HostPanel<Value>({ about, name, path, query, children }: HostPanelProps<Value>) {
  return (
    <Panel<Value> name={name} shape="chart" query={hostQuery<Value>(usePage(), about, path, query)}>
      {children}
    </Panel>
  );
}

/** A question about one host, and one of its types or all. */
export function hostQuery<Value>(
  page: PageContext,
  { host, type }: Pick<About, 'host' | 'type'>,
  path: string,
  query = '',
): ViewQuery<Value> {
  // The page's host and type replace the filters for them.
  const filters = type === null ? { host: [host] } : { host: [host], type: [type] };
  // Reports tell users and probes apart themselves.
  return viewQuestion(page, path, { users: path !== 'report', filters, extra: query && `&${query}` });
}

/** Replaces a chart and explains why there is none. */
export function NothingToDraw({ title, children }: { readonly title: string; readonly children: string }) {
  return (
    <section class="chart">
      <h3>{title}</h3>
      <p class="quiet">{children}</p>
    </section>
  );
}
