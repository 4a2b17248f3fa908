import { hostLabel } from '../../../shared/redact/host-label.ts';
import type { NamesOfApps } from '../../../shared/settings/app-names.ts';
import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { concerns } from '../../analysis/changes/annotation-document.ts';
import { changeEvents } from '../../analysis/changes/change-events.ts';
import { explainingAnnotation } from '../../analysis/changes/explaining-annotation.ts';
import { toFinding } from '../../analysis/summary/finding.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { changeEventText } from '../../analysis/text/change-event-text.ts';
import { findingText } from '../../analysis/text/finding-text.ts';
import { DASH } from '../../analysis/text/numbers.ts';
import { offset } from '../../analysis/time/zoned-time.ts';
import { type PageViews, sumPageViews } from '../document/page-views.ts';
import type { Block, Figure, Section } from '../document/report-document.ts';
import type { MonthlyData } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';
import type { MonthlyTexts } from '../language/monthly-english.ts';
import { slowSentence } from './slow-sentence.ts';

/** Listed on the management page. */
const NAMED_FINDINGS = 3;
const NAMED_CHANGES = 3;

/**
 * One page in plain words: how many requests, how long they took, what TLS costs, what changed, and what to improve.
 */
export function managementSection(
  data: MonthlyData,
  whole: SummaryCell,
  pageViews: PageViews,
  texts: ReportTexts,
  apps: NamesOfApps,
  zone: string,
): Section {
  const words = texts.monthly;
  const { accounting } = data.query;
  const { ttlb } = whole.phases;
  const blocks: Block[] = [{ kind: 'figures', figures: figuresOf(data, whole, pageViews, texts) }];
  const { findings } = data;
  blocks.push({
    kind: 'text',
    text:
      findings === null ? words.findingsExpired : findings.length === 0 ? words.noFindings : `${words.findingsTitle}:`,
  });
  if (findings !== null && findings.length > 0) {
    const named = findings.slice(0, NAMED_FINDINGS);
    blocks.push({ kind: 'points', points: named.map(({ text }) => `${text.title}. ${text.action} ${text.saves}`) });
  }
  blocks.push(...changeBlocks(data, texts, apps, zone), {
    kind: 'text',
    text: words.howMany(whole, sumPageViews(pageViews)),
  });
  if (ttlb !== null) {
    const finding = toFinding({ ...whole, abandoned: data.slowGroup?.abandoned ?? null });
    // The cost of TLS follows below, by the accounting method that was chosen.
    const [, ...why] = finding === null ? [] : findingText({ ...finding, tls: null, mergedHandshakes: false }, texts);
    const slow = slowSentence(data.slowGroup, texts, zone, data.query.range.to);
    blocks.push({
      kind: 'text',
      text: [words.wait(ttlb.median, ttlb.mean, accounting.first), ...why, ...slow].join(' '),
    });
    blocks.push(
      { kind: 'text', text: tlsText(whole, accounting.per, words) },
      { kind: 'text', text: changeText(data, words) },
    );
  }
  if (data.days.filter(({ median }) => median !== null).length > 1)
    blocks.push(...trendBlocks(data, texts, apps, zone));
  return { title: words.forManagement, blocks };
}

/** The chart of the days, and below it what happened on them: the chart has room for the first words of a few. */
function trendBlocks(data: MonthlyData, texts: ReportTexts, apps: NamesOfApps, zone: string): Block[] {
  const words = texts.monthly;
  const { target, host } = data.query.filters;
  const happened = data.annotations
    .filter((annotation) => concerns(annotation, target, host))
    .map(({ at, until, text, ...about }) => ({
      // As the days are: their local time as UTC.
      at: at + offset(at, zone),
      until: until === null ? null : until + offset(until, zone),
      text: [
        text,
        ...(about.target === null ? [] : [apps.get(about.target) ?? about.target]),
        ...(about.host === null ? [] : [hostLabel(about.host)]),
      ].join(' · '),
    }));
  const { day } = texts.chart;
  const span = ({ at, until }: (typeof happened)[number]) =>
    until === null || day(until) === day(at) ? day(at) : `${day(at)} – ${day(until)}`;
  const chart: Block = {
    kind: 'chart',
    title: words.trendTitle,
    description: words.trendNote,
    chart: { kind: 'trend', points: data.days, annotations: happened },
  };
  if (happened.length === 0) return [chart];
  return [
    chart,
    { kind: 'text', text: `${words.happened}:` },
    { kind: 'points', points: happened.map((one) => `${span(one)}: ${one.text}`) },
  ];
}

/** The lasting changes, and the annotation that may explain it. */
function changeBlocks(
  { changes, annotations }: MonthlyData,
  texts: ReportTexts,
  apps: NamesOfApps,
  zone: string,
): Block[] {
  const words = texts.monthly.changes;
  const events = changeEvents(changes ?? []).slice(0, NAMED_CHANGES);
  if (events.length === 0) return [];
  const day = (date: string) => {
    const [year = '', month = '', of = ''] = date.split('-');
    return texts.date(year, month, of);
  };
  const points = events.map((event) => {
    const explanation = explainingAnnotation(event, annotations, zone);
    const { title, detail } = changeEventText(event, explanation, words, { apps, types: texts.types, day });
    return `${title}. ${detail}`;
  });
  return [
    { kind: 'text', text: `${words.heading}:` },
    { kind: 'points', points },
  ];
}

function figuresOf(data: MonthlyData, whole: SummaryCell, pageViews: PageViews, texts: ReportTexts): Figure[] {
  const { figures: names, ms, signed } = texts.monthly;
  const { count } = texts.numbers;
  const { first, per } = data.query.accounting;
  const { ttlb, tls } = whole.phases;
  const times: Figure[] =
    ttlb === null
      ? []
      : [
          { label: names.median, value: ms(ttlb.median), note: names.medianNote(certainMedian(ttlb)) },
          { label: names.average, value: ms(ttlb.mean), note: names.averageNote(ttlb.p95) },
        ];
  const cost = per === 'request' ? whole.perRequest.tls : first === 'median' ? tls?.median : tls?.mean;
  return [
    {
      label: names.browsers,
      value: whole.browsers === null ? DASH : count(whole.browsers),
      note: names.browsersNote(whole),
    },
    { label: names.pageViews, value: count(sumPageViews(pageViews)), note: names.pageViewsNote(pageViews) },
    ...(first === 'median' ? times : times.reverse()),
    { label: names.tls[per], value: cost == null ? DASH : ms(cost), note: names.tlsNote(per, tls?.n ?? 0) },
    {
      label: names.change,
      value: data.change === null ? DASH : signed(data.change.difference),
      note:
        data.change !== null
          ? names.changeNote(data.change)
          : data.beforeKept
            ? names.changeNone[data.notCompared ?? 'not_measured']
            : names.changeExpired,
    },
  ];
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
