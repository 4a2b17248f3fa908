import type { LadderDocument, LadderScenario } from '../../analysis/probes/ladder-document.ts';
import type { LadderRatio } from '../../analysis/probes/ladder-ratios.ts';

const PHASES = ['tcp', 'tls', 'wait', 'receive', 'ttlb'] as const;
const NONE = '–';

/** What `lastbyte probe` prints for a person. */
export function ladderTable(document: LadderDocument): string[] {
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
    ...aligned(runs),
    '',
    ...(costs.length > 1 ? [...aligned(costs), ''] : []),
    document.sentence,
    ...(document.stopped === null ? [] : [`It was stopped early: ${document.stopped}.`]),
    'Times are medians of the runs whose own stamps prove their scenario.',
  ];
}

function runRow({ scenario, method, kept, phases, handshakes, discarded, unavailable }: LadderScenario): string[] {
  const told = Object.entries(handshakes).filter(([word, n]) => n > 0 && scenario === 'https-new' && word !== '');
  const lost = Object.entries(discarded).map(([reason, n]) => `${n} ${reason}`);
  return [
    scenario,
    method ?? NONE,
    String(kept),
    ...PHASES.map((phase) => phases?.[phase]?.median.toFixed(1) ?? NONE),
    told.map(([word, n]) => `${n} ${word}`).join(', ') || NONE,
    unavailable === null ? lost.join(', ') || NONE : `not available: ${unavailable}`,
  ];
}

function ratioRow({ scenario, baseline, median, mean, medianInterval }: LadderRatio): string[] {
  return [
    scenario,
    baseline ?? NONE,
    median === null ? NONE : `${median.ms.toFixed(1)} ms`,
    medianInterval === null ? NONE : medianInterval.map((edge) => edge.toFixed(1)).join(' … '),
    median?.ratio?.toFixed(2) ?? NONE,
    mean === null ? NONE : `${mean.ms.toFixed(1)} ms`,
  ];
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, place) => Math.max(...rows.map((row) => row[place]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, place) => cell.padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
