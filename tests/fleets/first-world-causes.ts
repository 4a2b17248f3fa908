import { basePlan, type FleetShape } from './base-plan.ts';
import { plant } from './causes.ts';
import { generateFleet, numbersOfClients } from './generate-fleet.ts';
import type { CauseName, FleetPlan, Truth } from './plan.ts';
import type { MeasuredCause, Place, PlantedCause, Quantity } from './truth.ts';
import { measureCause, type Waiting, waitingOf } from './waiting.ts';

const SERVER = ['wait', 'ttlb'] as const;

/** What each cause of the first world can be seen in; decoys in nothing. */
const QUANTITIES: Readonly<Partial<Record<CauseName, readonly Quantity[]>>> = {
  slow_endpoint: SERVER,
  slow_host: SERVER,
  overloaded_hour: SERVER,
  packet_loss: ['tcp', 'wait', 'ttlb'],
  lossy_site: ['tcp', 'wait', 'ttlb'],
  keep_alive_edge: ['new_connections', 'tcp', 'tls', 'blocked', 'ttlb'],
  tickets_off: ['full_handshakes', 'tls', 'ttlb'],
  no_resumption: ['full_handshakes', 'tls', 'ttlb'],
  inspection: ['tls', 'wait', 'protocol', 'full_handshakes', 'ttlb'],
  far_site: ['wait', 'tcp', 'tls', 'ttlb'],
  slow_dns: ['dns', 'lookups', 'blocked', 'ttlb'],
  large_downloads: ['receive', 'bytes', 'ttlb'],
  h1_queueing: ['blocked', 'protocol', 'ttlb'],
  cold_caches: ['cached', 'ttlb', 'wait', 'receive'],
  slow_third_party: SERVER,
  slow_third_party_visible: SERVER,
  sick_browser: ['blocked', 'ttlb', 'wait', 'tcp'],
  release_worse: SERVER,
  fix_better: SERVER,
  busy_site_line: ['wait', 'receive', 'tcp', 'tls', 'ttlb'],
  error_burst: ['errors'],
  redirect_chain: ['redirect', 'ttlb'],
};
/** One day's errors, and nothing lasting from that day on; requests that come to nothing make nobody wait longer. */
const COSTLESS: readonly CauseName[] = ['error_burst'];

function toCause(truth: Truth, from: CauseName): PlantedCause | null {
  const { cause: name, app, host, template, site, browser, hour, day, decoy } = truth;
  const quantities = QUANTITIES[name];
  if (decoy || quantities === undefined) return null;
  const hours =
    hour !== undefined ? ([hour, hour + 1] as const) : name === 'busy_site_line' ? ([9, 12] as const) : undefined;
  const place: Place = {
    ...(host === undefined ? (app === undefined ? {} : { target: app }) : { host }),
    ...(template === undefined ? {} : { template }),
    ...(site === undefined ? {} : { site }),
    ...(browser === undefined ? {} : { browser }),
    ...(hours === undefined ? {} : { hours }),
  };
  return {
    name: from,
    places: [place, ...(name === 'redirect_chain' && app !== undefined ? [{ target: app }] : [])],
    quantities,
    ...(day === undefined ? {} : { day }),
    direction: name === 'fix_better' ? 'faster' : 'slower',
    ...(COSTLESS.includes(name) ? { costless: true as const } : {}),
  };
}

/** Plants them in the plan of that shape, and measures what each costs: the same fleet played without it. */
export function plantFirstWorld(
  shape: FleetShape,
  names: readonly CauseName[],
): { readonly plan: FleetPlan; readonly causes: readonly MeasuredCause[] } {
  const { plan, truth } = plant(basePlan(shape), names);
  const planted = truth.flatMap((one) => toCause(one, one.cause) ?? []);
  if (planted.length === 0) return { plan, causes: [] };
  const withAll = waiting(plan);
  const causes = planted.map((cause) => {
    const others = names.filter((name) => name !== cause.name);
    return measureCause(cause, withAll, waiting(plant(basePlan(shape), others).plan), plan.from);
  });
  return { plan, causes };
}

function waiting(plan: FleetPlan): Waiting {
  function* wires() {
    for (const { wire } of generateFleet(plan)) yield wire;
  }
  const live = new Set(
    plan.apps.flatMap(({ pages }) => pages.flatMap((page) => (page.live ? [page.live.template] : []))),
  );
  return waitingOf(wires(), numbersOfClients(plan), (_, template) => live.has(template));
}
