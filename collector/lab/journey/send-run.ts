import { shorten, toStepOutcomes } from '../../../extension/journey/robot-run.ts';
import { hideValuesIn } from '../../../shared/journeys/run-outcome.ts';
import type { VariableValues } from '../../../shared/journeys/variables.ts';
import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';
import { type Collector, machineId, sendBatches } from '../send-batches.ts';
import type { JourneyRun } from './run-journey.ts';
import { runSamples } from './run-samples.ts';

export interface RunDestination extends Collector {
  readonly site: string;
  /** Ids of the journey and of its app. */
  readonly id: string;
  readonly target: string;
}

/** Sends a run and its requests as a robot does. Resolves to null, or to the collector's code for what it did not take. */
export async function sendRun(
  run: JourneyRun,
  engine: BrowserEngine,
  version: string,
  { id, target, site, ...to }: RunDestination,
  values: VariableValues,
): Promise<string | null> {
  const origin = {
    client: machineId(site),
    site,
    browser: engine,
    browserVersion: run.version.split('.')[0] ?? '',
    extensionVersion: version,
    clockStep: 100,
  };
  const steps = toStepOutcomes(run);
  const turn = {
    probe: id,
    target,
    at: run.startedAt,
    skipped: null,
    scenarios: [],
    steps: steps.map(({ reason }) => reason),
    stepTimes: steps.map(({ time }) => time),
    ...(run.broke && { broke: shorten(run.broke) }),
  };
  // An address may have what was typed.
  const samples = runSamples(run, id, target).map((sample) => hideValuesIn(sample, values));
  return sendBatches(to, origin, samples, [turn]);
}
