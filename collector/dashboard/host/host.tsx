import { useMemo, useState } from 'preact/hooks';
import type { SummaryCell, SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { connectionShares } from '../../charts/connection-shares.ts';
import { type PageContext, useAnnouncement, usePage } from '../app/page-context.ts';
import type { View } from '../app/view.ts';
import { ConnectionsChart, GapChart } from '../components/cell-charts.tsx';
import { Finding } from '../components/finding.tsx';
import { MethodFooter } from '../components/method-footer.tsx';
import { Panel } from '../components/panel.tsx';
import { RouteLink } from '../components/route-link.tsx';
import { Empty } from '../components/states.tsx';
import { ofWhat } from '../model/of-what.ts';
import { headlineCell, overviewRows } from '../model/overview-row.ts';
import { sortRows } from '../model/sort-rows.ts';
import { usersQuery, viewKey } from '../model/summary-queries.ts';
import type { TableLine } from '../model/table-lines.ts';
import { valueLabel } from '../model/value-label.ts';
import { HostFindings } from '../overview/findings.tsx';
import { overviewDocument } from '../overview/overview-document.ts';
import { ReportLinks } from '../overview/report-links.tsx';
import { spreadScale } from '../overview/spread-picture.tsx';
import { TableRows } from '../overview/table-rows.tsx';
import { TableSection } from '../overview/table-section.tsx';
import { useChanges } from '../overview/use-changes.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';
import { toView, withOwn } from '../state/view-state.ts';
import { HOST } from '../text/host.ts';
import { t } from '../text/t.ts';
import { ConnectionFacts } from './connection-facts.tsx';
import { Distribution } from './distribution.tsx';
import { Pauses } from './pauses.tsx';
import { ReportTables } from './report-tables.tsx';
import { Requests } from './requests.tsx';
import { SlowGroup, WhoMeasures } from './slow-group.tsx';
import { Timeline } from './timeline.tsx';
import { Tls } from './tls.tsx';
import { WhatIf } from './what-if.tsx';

interface HostSummaries {
  readonly types: SummaryDocument;
  /** All types together. */
  readonly whole: SummaryDocument;
}

/** Optional parts that are computed from rollups and cost almost nothing. */
const INCLUDE = 'handshakeRoundTrips,requestsPerConnection,serverShares,sharesAbove,peaks';
/** `?kind=` for all types together. */
const ALL_TYPES = 'all';

function summaries({ state, client, now }: Pick<PageContext, 'state' | 'client' | 'now'>): ViewQuery<HostSummaries> {
  const name = state.own.page ?? '';
  return {
    key: `host ${name} ${viewKey(state)}`,
    async read(signal) {
      const ask = (by: readonly ('host' | 'type')[]) => {
        const query = usersQuery(state, now(), { by, filters: { host: [name] } });
        return client.summary(`${query}&include=${INCLUDE}`, signal);
      };
      const [types, whole] = await Promise.all([ask(['host', 'type']), ask(['host'])]);
      return { types, whole };
    },
  };
}

/** One host: what its users wait for, by type, and why. */
export const host: View = {
  title: ({ own }) => own.page ?? HOST.name,
  first: summaries,
  View() {
    return (
      <Panel<HostSummaries> name={HOST.name} query={summaries(usePage())}>
        {(found) =>
          found.types.cells.length === 0 ? <Empty method={found.types.method} /> : <Host summaries={found} />
        }
      </Panel>
    );
  },
};

/** A tab per type, what users wait for and why, since when, and comparisons. */
function Host({ summaries: { types, whole } }: { readonly summaries: HostSummaries }) {
  const { state } = usePage();
  const { cells, method } = types;
  const name = state.own.page ?? '';
  const all = whole.cells[0] ?? null;
  const chosen = chooseCell(state.own.kind ?? null, cells, all);
  useAnnouncement(HOST.rows(cells.length));
  return (
    <>
      <div class="host-head">
        <p class="quiet small">
          <RouteLink to={toView(state, 'overview')}>{HOST.back}</RouteLink>
        </p>
        <h1>{name}</h1>
      </div>
      <HostFindings host={name} />
      {chosen === null ? null : <Chosen host={name} cell={chosen} all={all} types={types} />}
      <ReportLinks />
      <MethodFooter method={method} />
    </>
  );
}

interface ChosenProps {
  readonly host: string;
  /** Of the chosen type, or of all types. */
  readonly cell: SummaryCell;
  readonly all: SummaryCell | null;
  readonly types: SummaryDocument;
}

function Chosen({ host: name, cell, all, types: { cells, method } }: ChosenProps) {
  const { state } = usePage();
  const type = cell.type ?? null;
  const of = ofWhat([name, type === null ? HOST.allTypes : valueLabel('type', type, null)], method);
  const about = { host: name, type, kind: type ?? ALL_TYPES, cell, of };
  const { sort } = state;
  const lines = useMemo(() => {
    const types = sortRows(overviewRows(cells), sort).map(({ type: label, connections }) => ({
      label: valueLabel('type', label, null),
      shares: connections,
    }));
    return all === null || types.length < 2
      ? types
      : [...types, { label: HOST.allTypes, shares: connectionShares(all, t) }];
  }, [cells, all, sort]);
  return (
    <>
      <TypeTabs types={cells.map((one) => one.type ?? '')} chosen={type ?? ALL_TYPES} />
      <Finding
        cell={cell}
        heading={type === null ? HOST.allTogether : HOST.oneType(valueLabel('type', type, null))}
        of={of}
        opensRequests
      />
      <WhoMeasures about={about} />
      <div class="figures">
        <Timeline about={about} />
        <Distribution about={about} />
      </div>
      <div class="figures">
        <div class="stacked">
          <GapChart cell={cell} of={of} />
          <SlowGroup about={about} />
        </div>
        <ConnectionsChart lines={lines} of={of} />
      </div>
      <ConnectionFacts cell={cell} />
      <div class="figures">
        <Pauses about={about} />
        <Tls about={about} />
      </div>
      <WhatIf about={about} />
      <TypesTable host={name} cells={cells} />
      <ReportTables about={about} />
      <Requests about={about} />
    </>
  );
}

function chooseCell(kind: string | null, cells: readonly SummaryCell[], all: SummaryCell | null): SummaryCell | null {
  if (kind === ALL_TYPES) return all;
  return cells.find(({ type }) => type === kind) ?? headlineCell(cells) ?? all;
}

function TypeTabs({ types, chosen }: { readonly types: readonly string[]; readonly chosen: string }) {
  const { state } = usePage();
  return (
    <nav class="tabs" aria-label={HOST.typeTabs}>
      {[...types]
        .sort()
        .concat(ALL_TYPES)
        .map((kind) => (
          <RouteLink
            key={kind}
            class="tab"
            to={withOwn(state, { kind })}
            current={kind === chosen ? 'true' : undefined}
          >
            {kind === ALL_TYPES ? HOST.allTypes : valueLabel('type', kind, null)}
          </RouteLink>
        ))}
    </nav>
  );
}

/** The types of one host, as the overview shows them. */
function TypesTable({ host, cells }: { readonly host: string; readonly cells: readonly SummaryCell[] }) {
  const { sort } = usePage().state;
  const [drawn, setDrawn] = useState(false);
  const changes = useChanges({ by: ['host', 'type'], filters: { host: [host] }, wanted: drawn });
  const rows = useMemo(() => sortRows(overviewRows(cells, changes), sort), [cells, changes, sort]);
  const lines = useMemo(() => rows.map((row): TableLine => ({ kind: 'row', row })), [rows]);
  const scale = useMemo(() => spreadScale(cells.map(({ phases }) => phases.ttlb)), [cells]);
  return (
    <TableSection title={HOST.table} name="types" table={() => overviewDocument(HOST.table, rows, null)}>
      <TableRows lines={lines} scale={scale} caption={HOST.caption(host)} shape="types" note={setDrawn} />
    </TableSection>
  );
}
