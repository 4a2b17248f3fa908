// biome-ignore-all lint/a11y/noRedundantRoles: laid out as cards, a table loses its implicit roles
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isFewBrowsers } from '../../../shared/vocabulary/dimensions.ts';
import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import { type ConnectionShare, describeConnections } from '../../charts/connection-shares.ts';
import { usePage } from '../app/page-context.ts';
import { memo } from '../components/memo.ts';
import { RouteLink } from '../components/route-link.tsx';
import { Spoken } from '../components/spoken.tsx';
import { VerdictBadge } from '../components/verdict-badge.tsx';
import type { Trend } from '../model/changes.ts';
import type { EvidenceNote } from '../model/evidence-note.ts';
import type { OverviewRow } from '../model/overview-row.ts';
import type { Pair } from '../model/pair.ts';
import { toView } from '../state/view-state.ts';
import { DASH, formatCount, formatDifference, formatShare } from '../text/format.ts';
import { t } from '../text/t.ts';
import { RowDetail } from './row-detail.tsx';
import { SpreadPicture, type SpreadScale } from './spread-picture.tsx';

const texts = t.overview;

/** Names of the rows whose detail is open; kept until the page is reloaded. */
const opened = new Set<string>();

interface TableRowProps {
  readonly row: OverviewRow;
  readonly scale: SpreadScale;
  /** All rows belong to one host: the type names the row. */
  readonly oneHost: boolean;
  readonly columnCount: number;
}

/**
 * A row, and its detail below if that is open. The cells are in the order of COLUMN_GROUPS. Roles are explicit, because a
 * narrow screen lays rows out as cards.
 */
export const TableRow = memo(function TableRow({ row, scale, oneHost, columnCount }: TableRowProps) {
  const { name } = row;
  const [open, setOpen] = useState(() => opened.has(name));
  const detailId = `detail-${row.key}`;
  const toggle = () => {
    if (open) opened.delete(name);
    else opened.add(name);
    setOpen(!open);
  };
  return (
    <>
      <tr class={`row${open ? ' open' : ''}`} role="row" data-row={name}>
        <th class="host" scope="row" role="rowheader">
          <span class="host-box">
            <button
              type="button"
              class="more"
              aria-expanded={open}
              aria-controls={open ? detailId : undefined}
              aria-label={texts.row.explain(name)}
              onClick={toggle}
            >
              <span class="chevron" aria-hidden="true" />
            </button>
            <HostLink row={row} text={oneHost ? row.type : row.host} />
          </span>
        </th>
        {oneHost ? null : <Cell class="type">{row.type}</Cell>}
        <CellsBeforeChange row={row} scale={scale} />
        <Cell class="number change" label={texts.columns.change.label}>
          <TrendMark trend={row.trend} />
        </Cell>
        <CellsAfterChange row={row} />
      </tr>
      {open ? <RowDetail row={row} columnCount={columnCount} id={detailId} /> : null}
    </>
  );
});

/** To the host's page with that type selected. */
function HostLink({ row, text }: { readonly row: OverviewRow; readonly text: string }) {
  const { state } = usePage();
  if (isFewBrowsers(row)) {
    return <span title={texts.row.fewBrowsers}>{text}</span>;
  }
  return (
    <RouteLink to={toView(state, 'host', { page: row.host, kind: row.type })} title={row.host}>
      {text}
    </RouteLink>
  );
}

/** Rows of the same cell differ only in the change: nothing else is redrawn when the comparison arrives. */
function ofSameCell(before: Pick<TableRowProps, 'row'>, after: Pick<TableRowProps, 'row'>): boolean {
  return before.row.cell === after.row.cell;
}

const CellsBeforeChange = memo<Pick<TableRowProps, 'row' | 'scale'>>(
  ({ row, scale }) => (
    <>
      <Cell class="verdict-cell" label={texts.columns.verdict.label}>
        <VerdictBadge verdict={row.verdict} />
      </Cell>
      <Cell class="number waited" label={texts.columns.waited.label}>
        {row.waited === null ? <Unknown reason={texts.row.nothingUsable} /> : formatShare(row.waited)}
      </Cell>
      <PairCells pair={row.ttlb} label={texts.columns.ttlb.label} class="total" />
      <Cell class="spread-cell" label={texts.columns.spread}>
        {row.spread === null ? null : <SpreadPicture statistics={row.spread} scale={scale} />}
      </Cell>
      <Cell class="number" label={texts.columns.gap.label}>
        {row.gap === null ? <Unknown reason={texts.row.nothingUsable} /> : formatDifference(row.gap)}
      </Cell>
    </>
  ),
  ofSameCell,
);

const CellsAfterChange = memo<Pick<TableRowProps, 'row'>>(
  ({ row }) => (
    <>
      <Cell class="number" label={texts.columns.samples.label}>
        <span class="stack">
          {formatCount(row.samples)}
          <UsableBar evidence={row.evidence} />
        </span>
      </Cell>
      <Cell class="number" label={texts.columns.reused.label}>
        <span class="stack">
          {row.reused === null ? <Unknown reason={texts.row.noNetwork} /> : formatShare(row.reused)}
          <ConnectionBar shares={row.connections} />
        </span>
      </Cell>
      <PairCells pair={row.setupConnection} label={texts.columns.setupConnection.label} class="minor" />
      <PairCells pair={row.setupRequest} label={texts.columns.setupRequest.label} class="minor" />
      {PHASES.map((phase) => (
        <PairCells key={phase} pair={row.phases[phase]} label={t.phases[phase]} class="minor" />
      ))}
      <Cell class="number minor" label={texts.columns.browsers.label}>
        {row.browsers === null ? (
          <Unknown reason={texts.row.browsersUnknown} />
        ) : (
          <span class="stack">
            {formatCount(row.browsers)}
            {row.browsersMonth === undefined ? null : (
              <span class="quiet small" title={t.browsersOfMonth.note}>
                {t.browsersOfMonth.month(row.browsersMonth)}
              </span>
            )}
          </span>
        )}
      </Cell>
    </>
  ),
  ofSameCell,
);

interface CellProps {
  readonly class: string;
  /** The heading where rows are cards. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

function Cell({ class: className, label = '', children }: CellProps) {
  return (
    <td class={className} role="cell" data-label={label}>
      {children}
    </td>
  );
}

/** The two cells of a pair, or one cell across both with the reason. */
function PairCells({
  pair,
  label,
  class: extra,
}: {
  readonly pair: Pair;
  readonly label: string;
  readonly class: string;
}) {
  const common = `number ${extra}`;
  if (!pair.known) {
    return (
      <td class={`${common} first pair-unknown`} colspan={2} role="cell" data-label={label}>
        <Unknown reason={pair.reason} />
      </td>
    );
  }
  const doubt = pair.keepMeasuring;
  return (
    <>
      <td class={`${common} first${doubt ? ' doubtful' : ''}`} role="cell" data-label={label} data-tip={pair.note}>
        <span class="value">{pair.medianText}</span>
        {doubt ? <Spoken>{` ${texts.row.keepMeasuring}`}</Spoken> : null}
      </td>
      <td class={`${common} second`} role="cell">
        <span class="value mean">{pair.meanText}</span>
      </td>
    </>
  );
}

/** Unknown is a dash, never 0; its reason is a tooltip, and text for screen readers. */
function Unknown({ reason }: { readonly reason: string }) {
  return (
    <span class="unknown" data-tip={texts.row.unknown(reason)}>
      <span aria-hidden="true">{DASH}</span>
      <Spoken>{texts.row.unknown(reason)}</Spoken>
    </span>
  );
}

/** Arrow up for slower, down for faster, none if not significant; with text for screen readers. */
function TrendMark({ trend }: { readonly trend: Trend }) {
  if (trend.kind === 'off') return <span />;
  if (trend.kind === 'unknown') return <Unknown reason={trend.reason} />;
  if (trend.kind === 'loading') {
    return (
      <span class="quiet change-loading">
        <span aria-hidden="true">…</span>
        <Spoken>{texts.changes.comparing}</Spoken>
      </span>
    );
  }
  const { changed, difference, text } = trend;
  const direction = !changed ? 'same' : difference > 0 ? 'slower' : 'faster';
  const arrow = { same: '', slower: '▲ ', faster: '▼ ' }[direction];
  return (
    <span class={`change-mark change-${direction}`} data-tip={text}>
      <span aria-hidden="true">
        {arrow}
        {formatDifference(difference)}
      </span>
      <Spoken>{text}</Spoken>
    </span>
  );
}

function UsableBar({ evidence: { usableShare, text } }: { readonly evidence: EvidenceNote }) {
  return (
    <span class="usable" data-tip={text}>
      <span class="usable-part" aria-hidden="true" style={{ width: `${(usableShare ?? 0) * 100}%` }} />
      <Spoken>{text}</Spoken>
    </span>
  );
}

/** Connection classes as one bar, with text for screen readers. */
function ConnectionBar({ shares }: { readonly shares: readonly ConnectionShare[] }) {
  const words = describeConnections(shares, t);
  return (
    <span class="connections" data-tip={words}>
      {shares.map(({ connection, share }) => (
        <span
          key={connection}
          class={`connection connection-${connection}`}
          aria-hidden="true"
          style={{ flexGrow: share }}
        />
      ))}
      <Spoken>{words}</Spoken>
    </span>
  );
}
