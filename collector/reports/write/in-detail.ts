import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { toFinding } from '../../analysis/summary/finding.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { findingText } from '../../analysis/text/finding-text.ts';
import type { ChartAnnotation } from '../../charts/chart-spec.ts';
import type { PageViews } from '../document/page-views.ts';
import type { Block } from '../document/report-document.ts';
import type { MonthlyData } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';
import type { MonthlyTexts } from '../language/monthly-english.ts';
import type { Events } from './name-events.ts';
import { slowSentence } from './slow-sentence.ts';

/** The numbers of the first page with their intervals, and why the average is not the median. */
export function inDetail(
  data: MonthlyData,
  whole: SummaryCell,
  pageViews: PageViews,
  { changes, happened }: Events,
  texts: ReportTexts,
  zone: string,
): Block[] {
  const words = texts.monthly;
  const { ttlb } = whole.phases;
  const counts = [words.included(whole), words.shownViews(pageViews)];
  const paragraphs = [counts];
  if (ttlb !== null) {
    counts.push(words.spread(certainMedian(ttlb), ttlb.p95));
    const { abandoned, httpsCost } = data.slowGroup ?? {};
    const finding = toFinding({ ...whole, abandoned: abandoned ?? null, ...(httpsCost && { httpsCost }) });
    // The cost of TLS follows below, by the accounting method that was chosen.
    const [, ...why] = finding === null ? [] : findingText({ ...finding, tls: null, mergedHandshakes: false }, texts);
    paragraphs.push(
      [...why, ...slowSentence(data.slowGroup, texts, zone, data.query.range.to)],
      [tlsText(whole, data.query.accounting.per, words)],
      [changeText(data, words)],
    );
  }
  const blocks = paragraphs
    .filter((sentences) => sentences.length > 0)
    .map((sentences): Block => ({ kind: 'text', text: sentences.join(' ') }));
  if (changes.length > 0)
    blocks.push(
      { kind: 'text', text: `${words.changes.heading}:` },
      { kind: 'points', points: changes.map(({ title, detail }) => `${title} ${detail}`) },
    );
  if (happened.length > 0) {
    const { day } = texts.chart;
    const span = ({ at, until }: ChartAnnotation) =>
      until === null || day(until) === day(at) ? day(at) : `${day(at)} – ${day(until)}`;
    blocks.push(
      { kind: 'text', text: `${words.happened}:` },
      { kind: 'points', points: happened.map((one) => `${span(one)}: ${one.text}`) },
    );
  }
  return blocks;
}

/** Nothing is certain of few requests or few browsers. */
function certainMedian({ keepMeasuring, medianInterval }: TimeStatistics) {
  return keepMeasuring.some((reason) => reason !== 'wide_interval') ? null : medianInterval;
}

function tlsText(whole: SummaryCell, per: 'connection' | 'request', words: MonthlyTexts): string {
  if ((whole.unknown.tcp?.merged_h3 ?? 0) > 0) return words.mergedTls;
  const { tls } = whole.phases;
  const { perConnection, perRequest } = whole.setup;
  if (tls === null) return words.noTls;
  const opened = perRequest === null || perRequest.n === 0 ? 0 : (perConnection?.n ?? 0) / perRequest.n;
  if (per === 'request') return words.tlsPerRequest(whole.perRequest.tls ?? 0, whole.perRequestMedian.tls ?? 0, opened);
  return words.tlsPerConnection(tls.mean, tls.median, opened);
}

function changeText({ change, notCompared, whole, wholeBefore, beforeKept }: MonthlyData, words: MonthlyTexts): string {
  if (!beforeKept) return words.beforeExpired;
  const [before, after] = [wholeBefore?.phases.ttlb?.mean, whole?.phases.ttlb?.mean];
  if (change === null || before === undefined || after === undefined)
    return words.notCompared[notCompared ?? 'not_measured'];
  return words.changed(change, [before, after]);
}
