import type { UsersOfScenario } from '../../shared/probe/probe-results.ts';
import { stepThresholds } from '../../shared/probe/step-thresholds.ts';
import { parseHttpUrl } from '../../shared/redact/http-url.ts';
import type { Settings } from '../../shared/settings/settings-schema.ts';
import type { ProbesDocument } from '../../shared/summary/answers.ts';
import { FEW_BROWSERS } from '../../shared/summary/dimensions.ts';
import type { SummaryCell } from '../../shared/summary/summary-document.ts';
import { currentSettings } from '../store/current-settings.ts';
import { type Asker, prepare } from './asker.ts';
import type { parseViewQuery } from './parse-questions.ts';

/** The view of probes, and ladder by ladder what was measured beside users' traffic. Throws a StoreError. */
export async function runProbes(asker: Asker, query: ReturnType<typeof parseViewQuery>): Promise<ProbesDocument> {
  const { store } = asker;
  // What users had is read quickly; progress is that of the samples.
  const { progress: _, ...quiet } = asker;
  const { filters } = query;
  const { range, rule, method } = await prepare(asker, query.range);
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
      ...rule,
      nameBrowsers: false,
    },
    quiet,
  );
  const { view, paths, availability, turns, ...answer } = await store.samples.compute(
    'probes',
    {
      range,
      filters,
      users: users.cells.flatMap(usersOf),
      hosts: ladderHosts(settings),
      thresholds: stepThresholds(settings.probes),
      ...rule,
    },
    asker,
  );
  return { method: method({ range, filters }, answer), view, paths, availability, turns };
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

/** Host of each ladder by the probe's id, as far as the settings still hold it. */
function ladderHosts({ probes }: Settings): Record<string, string> {
  return Object.fromEntries(
    (probes?.schedule ?? []).flatMap(({ id, url }) => {
      const host = parseHttpUrl(url ?? '')?.hostname;
      return host === undefined ? [] : [[id, host]];
    }),
  );
}
