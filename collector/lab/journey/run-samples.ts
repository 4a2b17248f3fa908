import { stepAt } from '../../../extension/journey/robot-run.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { SCRIPT_SOURCE } from '../../../shared/vocabulary/vocabulary.ts';
import { requestSample } from '../request-sample.ts';
import type { JourneyRun } from './run-journey.ts';

/** The requests of a run as samples of its steps, without those that did not end within it. */
export function runSamples({ requests, begun, startedAt: at }: JourneyRun, id: string, target: string): Sample[] {
  const run = { id, at, steps: begun, endedAt: null };
  return requests.flatMap((request) => {
    const step = stepAt(run, request.startedAt);
    const sample = step === null ? null : requestSample(request, { target, source: SCRIPT_SOURCE });
    return sample === null ? [] : [{ ...sample, journey: id, step, run: at }];
  });
}
