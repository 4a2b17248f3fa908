import type { PlannedScenario } from '../../shared/probes/plan-sequence.ts';
import type { RequestOutcome } from '../../shared/probes/prove-request.ts';
import type { DiscardReason, ScenarioOutcome } from '../../shared/vocabulary/probe-words.ts';
import type { Scenario } from '../../shared/vocabulary/vocabulary.ts';

/** Counts what became of each scenario's runs. */
export class SequenceTally {
  /** Decoded bytes of the first body that was kept: all others are held to it. */
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
