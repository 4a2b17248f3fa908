import { isFewBrowsers } from '../../../shared/vocabulary/dimensions.ts';
import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import { formatCount, formatDifference, formatShare } from '../../analysis/text/format.ts';
import { PHASE_LABELS } from '../../analysis/text/words.ts';
import type { OverviewRow } from '../model/overview-row.ts';
import { connectionBar, pairCells, unknownMark, verdictBadge } from '../render/cells.ts';
import { button, type Child, element, spoken } from '../render/element.ts';
import { type SpreadScale, spreadPicture } from '../render/spread-picture.ts';
import { trendMark } from './trend-mark.ts';

export interface TableRowOptions {
  /** `host type`, which identifies the row for focus and screen readers. */
  readonly name: string;
  /** All rows belong to one host: the type names the row. */
  readonly oneHost: boolean;
  readonly open: boolean;
  readonly detailId: string;
  readonly href: string;
  readonly scale: SpreadScale;
  toggle(): void;
}

/** Cells in the order of COLUMN_GROUPS. Roles are explicit, because a narrow screen lays rows out as cards. */
export function tableRow(row: OverviewRow, options: TableRowOptions): HTMLElement {
  return element(
    'tr',
    { class: `row${options.open ? ' open' : ''}`, role: 'row' },
    nameCell(row, options),
    options.oneHost ? null : cell('type', '', row.type),
    cell('verdict-cell', 'Verdict', verdictBadge(row.verdict)),
    cell(
      'number waited',
      'Wait share',
      row.waited === null ? unknownMark('no usable samples') : formatShare(row.waited),
    ),
    ...pairCells(row.ttlb, 'To last byte', 'total'),
    cell('spread-cell', 'Spread', row.spread === null ? '' : spreadPicture(row.spread, options.scale)),
    cell('number', 'Gap', row.gap === null ? unknownMark('no usable samples') : formatDifference(row.gap)),
    changeCell(row),
    cell('number', 'Samples', stack(formatCount(row.samples), usableBar(row))),
    cell(
      'number',
      'Reused',
      stack(
        row.reused === null ? unknownMark('no request went over the network') : formatShare(row.reused),
        connectionBar(row.connections),
      ),
    ),
    ...pairCells(row.setupConnection, 'Set-up per connection', 'minor'),
    ...pairCells(row.setupRequest, 'Set-up per request', 'minor'),
    ...PHASES.flatMap((phase) => pairCells(row.phases[phase], PHASE_LABELS[phase], 'minor')),
    cell(
      'number minor',
      'Browsers',
      row.browsers === null ? unknownMark('not known to this collector') : formatCount(row.browsers),
    ),
  );
}

export function changeCell({ trend }: OverviewRow): HTMLElement {
  return cell('number change', 'Change', trendMark(trend));
}

function nameCell(row: OverviewRow, { name, oneHost, open, detailId, href, toggle }: TableRowOptions): HTMLElement {
  const more = button(
    {
      class: 'more',
      'aria-expanded': String(open),
      'aria-controls': open ? detailId : null,
      'aria-label': `Explain ${name}`,
      'data-focus': `more ${name}`,
    },
    toggle,
    element('span', { class: 'chevron', 'aria-hidden': 'true' }),
  );
  const word = oneHost ? row.type : row.host;
  const link = isFewBrowsers(row)
    ? element('span', { title: 'Groups with too few browsers to be shown on their own' }, word)
    : element('a', { href, 'data-route': true, 'data-focus': `host ${name}`, title: row.host }, word);
  return element(
    'th',
    { class: 'host', scope: 'row', role: 'rowheader' },
    element('span', { class: 'host-box' }, more, link),
  );
}

function cell(className: string, label: string, ...children: Child[]): HTMLElement {
  return element('td', { class: className, role: 'cell', 'data-label': label }, ...children);
}

function stack(...children: Child[]): HTMLElement {
  return element('span', { class: 'stack' }, ...children);
}

function usableBar(row: OverviewRow): HTMLElement {
  const { usableShare, text } = row.evidence;
  const filled = element('span', { class: 'usable-part', 'aria-hidden': 'true' });
  filled.style.width = `${(usableShare ?? 0) * 100}%`;
  return element('span', { class: 'usable', 'data-tip': text }, filled, spoken(text));
}
