// biome-ignore-all lint/a11y/noRedundantRoles: laid out as cards, a table loses its implicit roles
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { StandIn } from '../app/page-context.ts';
import { useSideHints } from '../components/scroll-box.tsx';
import type { TableLine } from '../model/table-lines.ts';
import type { AppNames } from '../model/value-label.ts';
import { t } from '../text/t.ts';
import { GroupRow } from './group-row.tsx';
import type { SpreadScale } from './spread-picture.tsx';
import { columnGroups, foldColumns, labelColumns, type TableShape } from './table-columns.ts';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { useProgressiveCount } from './use-progressive-count.ts';

/** Must match the style sheet, px. */
const ROW_HEIGHT = 37;

interface TableRowsProps {
  readonly lines: readonly TableLine[];
  readonly scale: SpreadScale;
  readonly caption: string;
  readonly shape: TableShape;
  /** For a table with groups, as all that follow but the last. */
  readonly names?: AppNames;
  toggle?(group: string): void;
  showAll?(group: string | null): void;
  /** Stands for rows that are being read. */
  readonly pending?: ComponentChildren;
  /** Told whether every line is drawn. */
  note(drawn: boolean): void;
}

/** The table itself. It scrolls in its own box. */
export function TableRows({
  lines,
  scale,
  caption,
  shape,
  names = null,
  toggle = () => {},
  showAll = () => {},
  pending = null,
  note,
}: TableRowsProps) {
  const standIn = useContext(StandIn);
  const box = useRef<HTMLElement>(null);
  useSideHints(box);
  const count = useProgressiveCount(lines.length, {
    list: lines.map(keyOfLine).join('\n'),
    first: () => firstLineCount(box.current, lines),
    paused: standIn,
  });
  const drawn = count === lines.length;
  useEffect(() => note(drawn), [drawn, note]);
  // The button that is pressed is gone afterwards, so the focus goes on to the first line that it has shown.
  const focusAfter = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (focusAfter.current === null) return;
    const line = [...(box.current?.querySelectorAll<HTMLElement>('tbody > .row') ?? [])].find(
      ({ dataset }) => dataset.row === focusAfter.current,
    );
    const next = line?.nextElementSibling?.querySelector<HTMLElement>('.more');
    if (!next) return;
    next.focus();
    focusAfter.current = null;
  });
  const foldedNames = useMemo(
    () => foldColumns(lines.flatMap((line) => ('row' in line ? [line.row] : []))).join(' '),
    [lines],
  );
  const folded = useMemo(() => new Set(foldedNames.split(' ')), [foldedNames]);
  // Starts at 1 for the spread column, which is in no group.
  const columnCount = columnGroups(shape, folded).reduce((sum, { columns }) => sum + columns.length, 1);
  return (
    <section
      ref={box}
      id="rows"
      class="table-box overview-box"
      tabindex={0}
      aria-label={caption}
      data-rows={rowsIn(lines)}
      data-drawn={rowsIn(lines.slice(0, count))}
    >
      <table class="overview" role="table">
        <caption class="spoken">{caption}</caption>
        <TableHead shape={shape} folded={folded} />
        <tbody role="rowgroup">
          {lines.slice(0, count).map((line) =>
            line.kind === 'pending' ? (
              <tr key={keyOfLine(line)} role="row" class="pending-row">
                <td colspan={columnCount} role="cell">
                  {pending}
                </td>
              </tr>
            ) : line.kind === 'more' ? (
              <MoreRow
                key={keyOfLine(line)}
                columnCount={columnCount}
                all={line.all}
                ofGroups={line.group === null}
                show={() => {
                  focusAfter.current = line.after;
                  showAll(line.group);
                }}
              />
            ) : line.kind === 'group' && shape !== 'types' ? (
              <GroupRow
                key={keyOfLine(line)}
                row={line.row}
                grouping={shape}
                names={names}
                scale={scale}
                folded={folded}
                open={line.open}
                size={line.size}
                toggle={toggle}
              />
            ) : (
              <TableRow
                key={keyOfLine(line)}
                row={line.row}
                shape={shape}
                scale={scale}
                folded={folded}
                columnCount={columnCount}
              />
            ),
          )}
        </tbody>
      </table>
      {/* As tall as the lines that are not drawn yet. */}
      <div class="rows-to-come" hidden={drawn} style={{ '--rows-to-come': lines.length - count }} />
      {foldedNames === '' ? null : (
        <p class="hint folded-columns">{t.overview.legend.folded(labelColumns(foldedNames.split(' ')).join(', '))}</p>
      )}
    </section>
  );
}

interface MoreRowProps {
  readonly columnCount: number;
  readonly all: number;
  readonly ofGroups: boolean;
  show(): void;
}

function MoreRow({ columnCount, all, ofGroups, show }: MoreRowProps) {
  return (
    <tr role="row" class="more-row">
      <td colspan={columnCount} role="cell">
        <button type="button" class="plain" onClick={show}>
          {ofGroups ? t.overview.group.showAllGroups(all) : t.overview.group.showAll(all)}
        </button>
      </td>
    </tr>
  );
}

/** Without groups. */
function rowsIn(lines: readonly TableLine[]): number {
  return lines.filter(({ kind }) => kind === 'row').length;
}

function keyOfLine(line: TableLine): string {
  return line.kind === 'pending' ? line.kind : `${line.kind} ${line.kind === 'more' ? line.group : line.row.name}`;
}

/** Enough lines for the screen, and for the scroll position and focus in the lines that they replace. */
function firstLineCount(box: HTMLElement | null, lines: readonly TableLine[]): number {
  const focused = box?.contains(document.activeElement)
    ? document.activeElement?.closest('tr')?.dataset.row
    : undefined;
  const seen = box === null ? 0 : seenLines(box);
  const kept = lines.findIndex((line) => 'row' in line && line.row.name === focused) + 1;
  return Math.max(Math.ceil(window.innerHeight / ROW_HEIGHT), seen, kept);
}

/** Number of lines in sight or above. */
function seenLines(box: HTMLElement): number {
  const end = Math.min(window.innerHeight, box.getBoundingClientRect().bottom);
  const lines = box.querySelectorAll('tbody > tr:not(.detail)');
  // A binary search, because each position is measured.
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const line = lines[middle];
    if (line !== undefined && line.getBoundingClientRect().top < end) low = middle + 1;
    else high = middle;
  }
  return low;
}
