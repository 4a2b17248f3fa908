import type { SequenceDocument, SequenceScenario } from '../../analysis/probes/sequence-document.ts';
import type { SequenceRatio } from '../../analysis/probes/sequence-ratios.ts';
import { alignColumns } from '../../lib/align-columns.ts';

const PHASES = ['tcp', 'tls', 'wait', 'receive', 'ttlb'] as const;
const NONE = '–';

/** The human-readable output of `lastbyte probe`. */
export function probeTable(document: SequenceDocument): string[] {
  const { scenarios, ratios, browser, browserVersion, requests, seconds } = document;
  const runs = [
    ['scenario', 'method', 'kept', ...PHASES.map((phase) => `${phase} ms`), 'handshakes', 'not kept'],
    ...scenarios.map(runRow),
  ];
  const costs = [
    ['scenario', 'over', 'adds, median', '95 %', 'ratio', 'adds, average'],
    ...ratios.filter(({ reason }) => reason === null).map(ratioRow),
  ];
  return [
    `${document.url} from ${browser} ${browserVersion}: ${requests} requests in ${seconds.toFixed(0)} s`,
    '',
    ...alignColumns(runs),
    '',
    ...(costs.length > 1 ? [...alignColumns(costs), ''] : []),
    document.sentence,
    ...(document.stopped === null ? [] : [`It was stopped early: ${document.stopped}.`]),
    'Times are medians of the runs whose timestamps prove their scenario.',
  ];
}

function runRow({ scenario, method, kept, phases, handshakes, discarded, unavailable }: SequenceScenario): string[] {
  const known = Object.entries(handshakes).filter(([kind, n]) => n > 0 && scenario === 'https-new' && kind !== '');
  const lost = Object.entries(discarded).map(([reason, n]) => `${n} ${reason}`);
  return [
    scenario,
    method ?? NONE,
    String(kept),
    ...PHASES.map((phase) => phases?.[phase]?.median.toFixed(1) ?? NONE),
    known.map(([kind, n]) => `${n} ${kind}`).join(', ') || NONE,
    unavailable === null ? lost.join(', ') || NONE : `not available: ${unavailable}`,
  ];
}

function ratioRow({ scenario, baseline, median, mean, medianInterval }: SequenceRatio): string[] {
  return [
    scenario,
    baseline ?? NONE,
    median === null ? NONE : `${median.ms.toFixed(1)} ms`,
    medianInterval === null ? NONE : medianInterval.map((edge) => edge.toFixed(1)).join(' … '),
    median?.ratio?.toFixed(2) ?? NONE,
    mean === null ? NONE : `${mean.ms.toFixed(1)} ms`,
  ];
}
