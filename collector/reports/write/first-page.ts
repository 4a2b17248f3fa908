import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { column, type TableRow } from '../../analysis/tables/table-document.ts';
import { httpsCostLines } from '../../analysis/text/https-cost-text.ts';
import type { ChartAnnotation } from '../../charts/chart-spec.ts';
import { VERDICT_PARTS } from '../../charts/phase-bars.ts';
import { type PageViews, sumPageViews } from '../document/page-views.ts';
import type { Block, Point, Section, TableBlock } from '../document/report-document.ts';
import type { MonthlyData } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';
import { monthText } from '../language/period-text.ts';
import { longestWaitFirst, waitedMs } from './cell-sums.ts';
import { comparePeriods } from './compare-periods.ts';
import type { Events } from './name-events.ts';

/** What fits on the page; tables of the other pages have all. */
const NAMED_FINDINGS = 3;
const SHOWN_ROWS = 8;

/** A minute's reading: how long users wait, what to decide, what changed, and where they wait. */
export function firstPage(
  data: MonthlyData,
  whole: SummaryCell,
  pageViews: PageViews,
  { changes, happened }: Events,
  texts: ReportTexts,
  zone: string,
): Section[] {
  const words = texts.monthly;
  const { ttlb } = whole.phases;
  const { accounting, before } = data.query;
  const opening = [
    ...(ttlb === null ? [] : [words.wait(ttlb.median, ttlb.mean, accounting.first)]),
    ...(data.change === null ? [] : [words.since(data.change, monthText(before, zone, texts))]),
    ...httpsCostLines(data.slowGroup === null ? [] : [data.slowGroup], texts.httpsCost),
    words.howMany(whole, sumPageViews(pageViews)),
  ];
  const appTable = waitingTable(data, whole, 'target', texts, zone);
  const siteTable = waitingTable(data, whole, 'site', texts, zone);
  return [
    { title: null, blocks: [{ kind: 'text', text: opening.join(' ') }] },
    { title: words.decide, blocks: [findingsBlock(data.findings, texts)] },
    ...(data.changes === null
      ? []
      : [{ title: words.gotSlower, blocks: [changesBlock(changes, data.changes.series.tested, texts)] }]),
    ...(ttlb === null
      ? []
      : [
          {
            title: words.whereWaiting,
            blocks: [
              ...appTable,
              ...siteTable,
              ...trend(data, [...changes.map(({ mark }) => mark), ...happened], texts),
            ],
          },
        ]),
  ];
}

function findingsBlock(findings: MonthlyData['findings'], { monthly: words }: ReportTexts): Block {
  if (findings === null) return { kind: 'text', text: words.findingsExpired };
  if (findings.length === 0) return { kind: 'text', text: words.noFindings };
  const points = findings.slice(0, NAMED_FINDINGS).map(
    ({ text, affectedBrowsersShare, affectedShare, savedShare }): Point => ({
      title: `${text.title}.`,
      text: `${words.affects(affectedBrowsersShare, affectedShare, savedShare)} ${text.action}`,
    }),
  );
  return { kind: 'points', points };
}

function changesBlock(changes: Events['changes'], tested: number, { monthly }: ReportTexts): Block {
  if (changes.length === 0) return { kind: 'text', text: monthly.changes.none(tested) };
  return { kind: 'points', points: changes.map(({ title, brief: text }) => ({ title, text })) };
}

/** Apps or sites: how long, against the period before, and whose the waiting is. None for sites that nobody told apart. */
function waitingTable(
  data: MonthlyData,
  whole: SummaryCell,
  by: 'target' | 'site',
  texts: ReportTexts,
  zone: string,
): TableBlock[] {
  const { monthly: words, summary, dimensions } = texts;
  const [cells, cellsBefore] = by === 'target' ? [data.apps, data.appsBefore] : [data.sites, data.sitesBefore];
  const measured = longestWaitFirst(cells).filter(({ phases }) => phases.ttlb !== null);
  if (measured.length === 0 || (by === 'site' && measured.length === 1)) return [];
  const before = new Map(cellsBefore.map((cell) => [cell[by], cell]));
  const parts = [
    ...VERDICT_PARTS.map(([part, colour]) => ({ name: part, label: summary.verdicts[part], colour })),
    { name: 'rest', label: words.rest, colour: 'rest' },
  ].map((part) => ({ ...part, colour: `var(--phase-${part.colour})` }));
  const rows = measured.map((cell) => {
    const { now, difference, apart } = comparePeriods(before.get(cell[by]) ?? null, cell, data.query);
    return {
      [by]: cell[by] || texts.none,
      median: now?.median ?? null,
      against: difference === null ? null : apart === true ? words.signed(difference) : words.notCertain,
      share: waitedMs(cell) / waitedMs(whole),
      ...(now === null ? {} : dividedWait(cell, texts)),
    };
  });
  return [
    {
      kind: 'table',
      shown: SHOWN_ROWS,
      bar: parts,
      table: {
        title: by === 'target' ? words.tables.apps : words.tables.sites,
        columns: [
          column(by, dimensions[by], 'text'),
          column('median', summary.median, 'ms'),
          ...(data.wholeBefore === null
            ? []
            : [column('against', words.columns.against(monthText(data.query.before, zone, texts)), 'text')]),
          column('share', words.columns.waiting, 'share'),
          column('largest', words.columns.largest, 'text'),
          ...parts.map(({ name, label }) => column(name, label, 'share')),
        ],
        rows,
        notes: [],
      },
    },
  ];
}

/** Each part's share of the average request, and the largest in words; `rest` are the parts that the verdict cannot divide. */
function dividedWait({ verdict: { shares } }: SummaryCell, { summary, numbers }: ReportTexts): TableRow {
  if (shares === null) return {};
  const divided = VERDICT_PARTS.map(([part]) => ({ name: summary.verdicts[part], share: shares[part] }));
  const rest = 1 - divided.reduce((sum, { share }) => sum + (share ?? 0), 0);
  const together = divided.filter(({ share }) => share === null).map(({ name }) => name);
  const named = [...divided, { name: together.join(' + '), share: together.length === 0 ? 0 : rest }];
  const largest = named.reduce((most, one) => ((one.share ?? 0) > (most.share ?? 0) ? one : most));
  return { ...shares, rest: Math.max(0, rest), largest: `${largest.name} ${numbers.wholeShare(largest.share ?? 0)}` };
}

/** The days, with what changed on them and what happened. */
function trend({ days }: MonthlyData, annotations: readonly ChartAnnotation[], { monthly }: ReportTexts): Block[] {
  if (days.filter(({ median }) => median !== null).length < 2) return [];
  const chart = { kind: 'trend', points: days, annotations } as const;
  return [{ kind: 'chart', title: monthly.trendTitle, description: monthly.trendNote, chart }];
}
