// biome-ignore-all lint/a11y/noRedundantRoles: laid out as cards, a table loses its implicit roles
import type { ComponentChildren } from 'preact';
import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import type { Verdict } from '../../analysis/summary/summary-document.ts';
import { type ConnectionShare, describeConnections } from '../../charts/connection-shares.ts';
import { VERDICT_COLOURS } from '../../charts/phase-bars.ts';
import { memo } from '../components/memo.ts';
import { Spoken } from '../components/spoken.tsx';
import { VerdictBadge } from '../components/verdict-badge.tsx';
import type { EvidenceNote } from '../model/evidence-note.ts';
import type { OverviewRow } from '../model/overview-row.ts';
import type { Pair } from '../model/pair.ts';
import type { Trend } from '../model/row-changes.ts';
import { DASH, formatCount, formatDifference, formatShare } from '../text/format.ts';
import { t } from '../text/t.ts';
import { SpreadPicture, type SpreadScale } from './spread-picture.tsx';
import { type FoldedColumns, VERDICT_PARTS } from './table-columns.ts';

const texts = t.overview;

interface RowOnly {
  readonly row: OverviewRow;
}

export interface RowCellsProps extends RowOnly {
  readonly scale: SpreadScale;
  /** As in `columnGroups`. */
  readonly folded: FoldedColumns;
}

/** The numbers of a row or a group, in the order of COLUMN_GROUPS. */
export function RowCells({ row, scale, folded }: RowCellsProps) {
  return (
    <>
      <CellsBeforeChange row={row} scale={scale} />
      {folded.has('change') ? null : (
        <Cell class="number change" label={texts.columns.change.label}>
          <TrendMark trend={row.trend} />
        </Cell>
      )}
      <CellsAfterChange row={row} folded={folded} />
    </>
  );
}

/** Rows of the same cell differ only in the change: nothing else is redrawn when the comparison arrives. */
function hasSameCell(before: RowOnly & Partial<RowCellsProps>, after: typeof before): boolean {
  return before.row.cell === after.row.cell && before.scale === after.scale && before.folded === after.folded;
}

const CellsBeforeChange = memo<RowOnly & Pick<RowCellsProps, 'scale'>>(
  ({ row, scale }) => (
    <>
      <Cell class="verdict-cell" label={texts.columns.verdict.label}>
        <span class="stack">
          <VerdictBadge verdict={row.verdict} />
          <PartsBar verdict={row.verdict} />
        </span>
      </Cell>
      <Cell class="number waited" label={texts.columns.waited.label}>
        {row.waited === null ? <Unknown reason={texts.row.nothingUsable} /> : formatShare(row.waited)}
      </Cell>
      <PairCells pair={row.ttlb} label={texts.columns.ttlb.label} class="total" />
      <Cell class="spread-cell" label={texts.columns.spread}>
        {row.spread === null ? null : <SpreadPicture statistics={row.spread} scale={scale} />}
      </Cell>
      <Cell class="number gap" label={texts.columns.gap.label}>
        {row.gap === null ? <Unknown reason={texts.row.nothingUsable} /> : formatDifference(row.gap)}
      </Cell>
    </>
  ),
  hasSameCell,
);

const CellsAfterChange = memo<RowOnly & Pick<RowCellsProps, 'folded'>>(
  ({ row, folded }) => (
    <>
      <Cell class="number samples" label={texts.columns.samples.label}>
        <span class="stack">
          {formatCount(row.samples)}
          <UsableBar evidence={row.evidence} />
        </span>
      </Cell>
      <Cell class="number reused" label={texts.columns.reused.label}>
        <span class="stack">
          {row.reused === null ? <Unknown reason={texts.row.noNetwork} /> : formatShare(row.reused)}
          <ConnectionBar shares={row.connections} />
        </span>
      </Cell>
      {(['setupConnection', 'setupRequest'] as const).map((name) =>
        folded.has(name) ? null : (
          <PairCells key={name} pair={row[name]} label={texts.columns[name].label} class="minor" />
        ),
      )}
      {PHASES.map((phase) =>
        folded.has(phase) ? null : (
          <PairCells key={phase} pair={row.phases[phase]} label={t.phases[phase]} class="minor" />
        ),
      )}
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
  hasSameCell,
);

interface CellProps {
  readonly class: string;
  /** The heading where rows are cards. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

export function Cell({ class: className, label = '', children }: CellProps) {
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
}: { readonly pair: Pair } & Readonly<Record<'label' | 'class', string>>) {
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
        <span class="value" data-word={texts.columns.median}>
          {pair.medianText}
        </span>
        {doubt ? <Spoken>{` ${texts.row.keepMeasuring}`}</Spoken> : null}
      </td>
      <td
        class={`${common} second`}
        role="cell"
        data-tip={pair.meanText.startsWith('<') ? texts.row.belowTenth : undefined}
      >
        <span class="value mean" data-word={texts.columns.average}>
          {pair.meanText}
        </span>
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

/** The parts of the average time. */
function PartsBar({ verdict: { shares } }: { readonly verdict: Verdict }) {
  if (shares === null) return null;
  const known = VERDICT_PARTS.flatMap((part) => {
    const share = shares[part];
    return share === null || share === 0 ? [] : [{ part, share, colour: `--phase-${VERDICT_COLOURS[part]}` }];
  });
  return (
    <ShareBar
      parts={known}
      words={known.map(({ part, share }) => `${t.verdicts[part]} ${formatShare(share)}`).join(', ')}
    />
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

/** Connection classes. */
function ConnectionBar({ shares }: { readonly shares: readonly ConnectionShare[] }) {
  return (
    <ShareBar
      parts={shares.map(({ connection, share }) => ({ share, colour: `--connection-${connection}` }))}
      words={describeConnections(shares, t)}
    />
  );
}

interface ShareBarProps {
  readonly parts: readonly { readonly share: number; readonly colour: string }[];
  /** For screen readers, and on hover. */
  readonly words: string;
}

function ShareBar({ parts, words }: ShareBarProps) {
  return (
    <span class="connections" data-tip={words}>
      {parts.map(({ share, colour }) => (
        <span
          key={colour}
          class="connection"
          aria-hidden="true"
          style={{ flexGrow: share, background: `var(${colour})` }}
        />
      ))}
      <Spoken>{words}</Spoken>
    </span>
  );
}
