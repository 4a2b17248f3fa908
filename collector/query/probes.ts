import type { LadderTurn, UsersOfScenario } from '../../shared/probe/probe-results.ts';
import { stepThresholds } from '../../shared/probe/step-thresholds.ts';
import { parseHttpUrl } from '../../shared/redact/http-url.ts';
import type { Settings } from '../../shared/settings/settings-schema.ts';
import type { ProbesDocument } from '../../shared/summary/answers.ts';
import { FEW_BROWSERS } from '../../shared/summary/dimensions.ts';
import type { SummaryCell } from '../../shared/summary/summary-document.ts';
import { currentSettings } from '../store/current-settings.ts';
import type { StoredTurn } from '../store/store.ts';
import { type Asker, prepare } from './asker.ts';
import type { parseViewQuery } from './parse-questions.ts';

/** Turns of the range that are read at most, the newest: reasons are sums, and enough of them say what is wrong. */
const MAX_TURNS = 20_000;

/** The view of probes, and ladder by ladder what was measured beside users' traffic. Throws a StoreError. */
export async function runProbes(asker: Asker, query: ReturnType<typeof parseViewQuery>): Promise<ProbesDocument> {
  const { store } = asker;
  // What users had is read quickly; progress is that of the samples.
  const { progress: _, ...quiet } = asker;
  const { filters } = query;
  const { range, foldBelow, method } = await prepare(asker, query.range);
  const { settings } = await currentSettings(store.settings);
  const users = await store.samples.compute(
    'summary',
    {
      range,
      by: ['target', 'site', 'host', 'scenario'],
      filters: { ...filters, source: ['page'] },
      exact: false,
      include: [],
      thresholds: [],
      foldBelow,
      nameBrowsers: false,
    },
    quiet,
  );
  const turns = (await store.fleet.probeTurns(range, MAX_TURNS)).filter(
    ({ target, site }) => passes(filters.target, target) && passes(filters.site, site),
  );
  const { view, paths, availability, ...answer } = await store.samples.compute(
    'probes',
    {
      range,
      filters,
      users: users.cells.flatMap(usersOf),
      turns: ladderTurns(turns, settings).filter(({ host }) => passes(filters.host, host)),
      thresholds: stepThresholds(settings.probes),
      foldBelow,
    },
    asker,
  );
  return { method: method({ range, filters }, answer), view, paths, availability, turns: countTurns(turns, foldBelow) };
}

function passes(wanted: readonly string[] | undefined, value: string): boolean {
  return wanted === undefined || wanted.includes(value);
}

function usersOf({ target, site, host, scenario, connections, phases }: SummaryCell): UsersOfScenario[] {
  if (!target || !host || host === FEW_BROWSERS) return [];
  return [
    {
      target,
      site: site ?? null,
      host,
      scenario: scenario ?? null,
      fresh: connections.new ?? 0,
      reused: connections.reused ?? 0,
      ttlb: phases.ttlb,
    },
  ];
}

/** A turn names its probe; where that went, the settings say, as far as they still hold it. */
function ladderTurns(turns: readonly StoredTurn[], { probes }: Settings): LadderTurn[] {
  const hosts = new Map(probes?.schedule.map(({ id, url }) => [id, parseHttpUrl(url ?? '')?.hostname]));
  return turns.flatMap(({ probe, target, site, scenarios }) => {
    const host = hosts.get(probe);
    return host === undefined || scenarios.length === 0 ? [] : [{ target, site, host, scenarios }];
  });
}

/** Reasons of fewer browsers than `foldBelow` are left out. */
function countTurns(turns: readonly StoredTurn[], foldBelow: number): ProbesDocument['turns'] {
  const skipped = new Map<string, { count: number; clients: Set<string> }>();
  for (const { skipped: reason, client } of turns) {
    if (reason === null) continue;
    const one = skipped.get(reason) ?? { count: 0, clients: new Set() };
    one.count++;
    one.clients.add(client);
    skipped.set(reason, one);
  }
  const shown = [...skipped].filter(([, { clients }]) => clients.size >= foldBelow);
  return {
    run: turns.filter(({ skipped: reason }) => reason === null).length,
    skipped: Object.fromEntries(shown.map(([reason, { count }]) => [reason, count])),
  };
}
