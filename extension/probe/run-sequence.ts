import {
  type PlannedScenario,
  planSequence,
  requestUrl,
  type SchemeFinding,
} from '../../shared/probes/plan-sequence.ts';
import { findFault, proveRequest, type RequestOutcome } from '../../shared/probes/prove-request.ts';
import type { SequenceRequest } from '../../shared/probes/sequence-request.ts';
import { parseHttpUrl } from '../../shared/redact/http-url.ts';
import type { Sample } from '../../shared/sample/sample.ts';
import type {
  DiscardReason,
  ScenarioOutcome,
  SequenceReport,
  UnavailableReason,
} from '../../shared/vocabulary/probe-words.ts';
import type { Scenario } from '../../shared/vocabulary/vocabulary.ts';
import type { ProbeEdges } from './probe-edges.ts';
import { sampleOfRequest } from './sample-of-request.ts';
import { SequenceRequests } from './sequence-requests.ts';

/** Attempts per measurement: a preconnected socket may have interfered with the first. */
const MAX_ATTEMPTS = 3;

export interface SequenceResult {
  readonly report: SequenceReport;
  readonly samples: readonly Sample[];
}

/**
 * Runs a probe sequence: warm-up first, then round after round of all scenarios, one request at a time. Never throws for
 * what the target or the network does: that becomes a reason in the report.
 *
 * @param isWanted asked before each round; false stops the sequence, as the kill switch does
 */
export async function runSequence(
  request: SequenceRequest,
  edges: ProbeEdges,
  isWanted: () => Promise<boolean> = async () => true,
): Promise<SequenceResult> {
  const startedAt = edges.now();
  const runs = new SequenceRequests(request, edges);
  const samples: Sample[] = [];
  let stopped: SequenceReport['stopped'] = null;
  let tally = new SequenceTally([]);
  try {
    await edges.begin(hostsOf(request), request.id);
    const found = { http: await warmUp('http'), https: await warmUp('https') };
    const plan = planSequence(request, edges.engine, found);
    tally = new SequenceTally(plan);
    const open = plan.filter(({ unavailable }) => unavailable === null);
    for (let round = 0; round < request.repetitions && open.length > 0 && stopped === null; round++) {
      if (!(await isWanted())) stopped = 'switched_off';
      for (const scenario of stopped === null ? open : []) {
        if (runs.requests >= request.maxRequests) stopped = 'budget';
        else await measure(scenario);
      }
    }
  } finally {
    await edges.end();
  }
  const { requests } = runs;
  const report = { probe: request.id, startedAt, endedAt: edges.now(), requests, scenarios: tally.outcomes(), stopped };
  return { report, samples };

  async function warmUp(scheme: 'http' | 'https'): Promise<SchemeFinding> {
    const url = requestUrl(request, scheme);
    if (url === '' || !(await edges.permitted(url))) return { protocol: null, unavailable: 'no_permission' };
    let unavailable: UnavailableReason | null = null;
    let protocol: string | null = null;
    for (let n = 0; n < Math.max(1, request.warmups); n++) {
      const outcome = await runs.plain(url);
      unavailable = findFault(outcome, url);
      protocol = outcome.entry?.nextHopProtocol || protocol;
      keep(outcome, url, `${scheme}-reused`, { warmup: true, proven: unavailable === null, method: 'keep_alive' });
      await runs.pause();
    }
    return { protocol, unavailable };
  }

  async function measure(planned: PlannedScenario): Promise<void> {
    const { scenario, method } = planned;
    if (method === null) return;
    const connection = scenario.endsWith('-new') ? 'new' : 'reused';
    for (let attempt = 1; ; attempt++) {
      const { outcome, url } = await runs.make(planned.url, method);
      const reason = proveRequest(outcome, { url, connection, size: request.cookies ? null : tally.size });
      const again = (reason === 'not_new' || reason === 'not_reused') && attempt < MAX_ATTEMPTS;
      await runs.pause();
      if (again && runs.requests < request.maxRequests) continue;
      tally.add(scenario, reason, outcome);
      keep(outcome, url, scenario, { warmup: false, proven: reason === null, method });
      return;
    }
  }

  function keep(
    outcome: RequestOutcome,
    url: string,
    scenario: PlannedScenario['scenario'],
    facts: { warmup: boolean; proven: boolean; method: NonNullable<PlannedScenario['method']> },
  ): void {
    const sample = sampleOfRequest(outcome, url, scenario, request, facts);
    if (sample) samples.push(sample);
  }
}

/** Hosts the rules apply to: only the probe's own. declarativeNetRequest includes a domain's subdomains. */
function hostsOf({ url, otherUrl }: SequenceRequest): string[] {
  const hosts = [url, otherUrl ?? ''].map((each) => parseHttpUrl(each)?.hostname);
  return [...new Set(hosts.filter((host) => host !== undefined))];
}

/** Counts the outcomes of each scenario. */
class SequenceTally {
  /** Decoded bytes of the first body kept; all others have to match it. */
  size: number | null = null;
  readonly #outcomes: Map<Scenario, { kept: number; discarded: Record<string, number> }>;
  readonly #plan: readonly PlannedScenario[];

  constructor(plan: readonly PlannedScenario[]) {
    this.#plan = plan;
    this.#outcomes = new Map(plan.map(({ scenario }) => [scenario, { kept: 0, discarded: {} }]));
  }

  add(scenario: Scenario, reason: DiscardReason | null, { entry }: RequestOutcome): void {
    const counts = this.#outcomes.get(scenario);
    if (!counts) return;
    if (reason !== null) {
      counts.discarded[reason] = (counts.discarded[reason] ?? 0) + 1;
      return;
    }
    counts.kept++;
    this.size ??= entry?.decodedBodySize ?? null;
  }

  outcomes(): ScenarioOutcome[] {
    return this.#plan.map(({ scenario, method, unavailable }) => ({
      scenario,
      method,
      ...(this.#outcomes.get(scenario) ?? { kept: 0, discarded: {} }),
      unavailable,
    }));
  }
}
