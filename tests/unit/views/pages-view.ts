import { aggregateSamples } from '../../../collector/analysis/summary/aggregate-samples.ts';
import { type PageGroup, resultCode, sortPages } from '../../../collector/analysis/tables/page-groups.ts';
import { type PagesOptions, toPagesView } from '../../../collector/analysis/tables/pages-view.ts';
import { type ReceiveBySize, toSizeClass } from '../../../collector/analysis/tables/receive-by-size-table.ts';
import type { ViewDocument } from '../../../collector/analysis/tables/table-document.ts';
import { toEvidenceClass } from '../../../shared/sample/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';

/** The pages view computed sample by sample. */
export function pagesView(samples: readonly StoredSample[], options: PagesOptions): ViewDocument {
  const facts = {
    pages: pageGroups(samples),
    leftOut: { pages: 0, requests: 0 },
    receive: receiveBySize(samples),
    whole: aggregateSamples(samples, [])[0] ?? null,
  };
  return toPagesView(facts, options);
}

function pageGroups(samples: readonly StoredSample[]): PageGroup[] {
  const groups = new Map<string, StoredSample[]>();
  for (const sample of samples) {
    const id = JSON.stringify([sample.host, sample.template, sample.type]);
    const group = groups.get(id);
    if (group) group.push(sample);
    else groups.set(id, [sample]);
  }
  return sortPages([...groups.values()].map(pageGroup));
}

function pageGroup(samples: readonly StoredSample[]): PageGroup {
  const usable = samples.filter((sample) => toEvidenceClass(sample) === 'usable');
  const clockStep = usable.reduce((step, { origin }) => Math.max(step, origin.clockStep), 0);
  const browsers = new Set(samples.map(({ origin }) => origin.client)).size;
  const times = (name: 'ttfb' | 'ttlb' | 'wait') =>
    timeStatistics(exactDistribution(known(usable.map((sample) => sample.times[name]))), clockStep, browsers);
  const [{ host, template, type }] = samples as [StoredSample];
  const bytes = known(usable.map(({ encodedBodySize }) => encodedBodySize));
  const codes = new Map<string, number>();
  for (const { status, connection } of samples) {
    const code = resultCode(status, connection);
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  return {
    host,
    template,
    type,
    hits: usable.length,
    codes,
    ttfb: times('ttfb'),
    ttlb: times('ttlb'),
    wait: times('wait'),
    // Statistics come in thousandths: bytes go in as thousands of them.
    length: timeStatistics(exactDistribution(bytes.map((size) => size * 1000)), null),
  };
}

function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}

function receiveBySize(samples: readonly StoredSample[]): ReceiveBySize {
  const classes = new Map<number, number[]>();
  for (const sample of samples) {
    const { encodedBodySize, times } = sample;
    const power = toSizeClass(encodedBodySize);
    if (power === null || times.receive === null || toEvidenceClass(sample) !== 'usable') continue;
    const members = classes.get(power);
    if (members) members.push(times.receive);
    else classes.set(power, [times.receive]);
  }
  return new Map([...classes].map(([power, times]) => [power, exactDistribution(times)]));
}
