import { isFewBrowsers } from '../../../shared/vocabulary/dimensions.ts';
import { formatCount, formatShare } from '../../analysis/text/format.ts';
import type { EvidenceDocument, TimingAllowance } from '../../questions/evidence.ts';
import {
  cellsTable,
  classesTable,
  type EvidenceClass,
  evidenceClasses,
  evidenceSentence,
  unknownTable,
} from '../model/evidence-totals.ts';
import { versionsTable } from '../model/fleet-tables.ts';
import { ofWhat } from '../model/of-what.ts';
import { chartFigure } from '../render/chart-figure.ts';
import { copyButton } from '../render/copy-button.ts';
import { dataTable } from '../render/data-table.ts';
import { element } from '../render/element.ts';
import { panelBox, viewHead } from '../render/panel-box.ts';
import type { ViewContext } from '../render/view.ts';
import { toView } from '../state/view-state.ts';
import { CLASS_COLOURS, drawClasses } from './classes-chart.ts';

/** Everything but the panel of browsers. */
export function evidenceContent(document: EvidenceDocument, context: ViewContext): readonly Node[] {
  const { state, navigate, link } = context;
  const parts = evidenceClasses(document.cells);
  const sorted = (name: string) => ({
    sort: state.sorts[name] ?? null,
    sortBy: (sort: { column: string; descending: boolean }) =>
      navigate({ ...state, sorts: { ...state.sorts, [name]: sort } }),
  });
  const unknown = unknownTable(document.cells);
  return [
    viewHead('Evidence', evidenceSentence(parts)),
    element('h2', { class: 'spoken' }, 'Classes of evidence'),
    classesFigure(parts, ofWhat(['Evidence'], document.method)),
    askFor(document.askForTiming),
    dataTable({
      name: 'evidence',
      table: cellsTable(document.cells),
      ...sorted('evidence'),
      cell: (column, row) =>
        column.name === 'host' && typeof row.host === 'string' && !isFewBrowsers(row)
          ? element('a', { href: link(toView(state, 'host', { page: row.host })), 'data-route': true }, row.host)
          : undefined,
    }),
    ...(unknown.rows.length === 0 ? [] : [dataTable({ name: 'unknown', table: unknown, ...sorted('unknown') })]),
    ...(document.cache === null
      ? []
      : [
          dataTable({
            name: 'cache',
            table: { ...document.cache, title: 'Cache hits and refetches' },
            ...sorted('cache'),
          }),
        ]),
    ...(document.fleet === null
      ? []
      : [dataTable({ name: 'versions', table: versionsTable(document.fleet), ...sorted('versions') })]),
    ...(document.missing === null
      ? []
      : [element('p', { class: 'notice' }, `Cache and versions cannot be shown: ${document.missing}`)]),
  ];
}

function classesFigure(parts: readonly EvidenceClass[], of: string): HTMLElement {
  return chartFigure({
    title: 'Samples by class',
    note: 'Every sample is in exactly one class.',
    words: parts.map(({ label, share }) => `${label} ${formatShare(share)}`).join(', '),
    legend: parts.map(({ name, label, count, share }) => ({
      label: `${label} ${formatCount(count)} (${formatShare(share)})`,
      colour: CLASS_COLOURS[name] ?? '--connection-unknown',
    })),
    table: classesTable(parts),
    of,
    draw: (_charts, width) => drawClasses(parts, width),
  });
}

/** Hosts whose owners can open their times, with the header to add. */
function askFor(hosts: readonly TimingAllowance[]): HTMLElement {
  if (hosts.length === 0) {
    return panelBox(
      'Ask for Timing-Allow-Origin',
      null,
      element('p', { class: 'quiet' }, 'No host hides its times from your pages.'),
    );
  }
  return panelBox(
    'Ask for Timing-Allow-Origin',
    'These hosts hide their times from your targets’ pages. Their owners can allow access with one response header.',
    element(
      'ul',
      { class: 'ask' },
      ...hosts.map(({ host, target, opaque, samples, headers }) =>
        element(
          'li',
          { class: 'ask-host' },
          element(
            'p',
            { class: 'ask-name' },
            element('strong', {}, host),
            element(
              'span',
              { class: 'quiet small' },
              ` on pages of ${target}: ${formatCount(opaque)} of ${formatCount(samples)} samples hidden`,
            ),
          ),
          ...headers.map((header) =>
            element(
              'p',
              { class: 'ask-header' },
              element('code', {}, header),
              copyButton(`the header for ${host}: ${header}`, header),
            ),
          ),
        ),
      ),
    ),
    hosts.some(({ headers }) => headers.length > 1)
      ? element(
          'p',
          { class: 'quiet small' },
          'If there are several lines, the server must send the one that matches the requesting origin.',
        )
      : null,
  );
}
