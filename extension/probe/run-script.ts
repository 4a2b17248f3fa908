import { isRedirectStatus } from '../../shared/classify/exclusion.ts';
import { findFault, type RequestOutcome } from '../../shared/probes/prove-request.ts';
import type { SequenceRequest } from '../../shared/probes/sequence-request.ts';
import { parseHttpUrl } from '../../shared/redact/http-url.ts';
import { makeFailedSample } from '../../shared/sample/failed-request.ts';
import { makeSample } from '../../shared/sample/make-sample.ts';
import type { Sample } from '../../shared/sample/sample.ts';
import type { ProbeStep } from '../../shared/settings/probe-settings.ts';
import type { ScriptReport, StepOutcome } from '../../shared/vocabulary/probe-words.ts';
import { SCRIPT_SOURCE } from '../../shared/vocabulary/vocabulary.ts';
import type { ProbeEdges } from './probe-edges.ts';
import { errorCode, redirectedSample, withoutSizes } from './sample-of-request.ts';

export interface ScriptRequest
  extends Pick<SequenceRequest, 'id' | 'target' | 'cookies' | 'pauseMs' | 'timeoutMs' | 'serverTimingMetrics'> {
  readonly steps: readonly ProbeStep[];
  /** When the run began, epoch ms. */
  readonly at: number;
}

export interface ScriptResult {
  readonly report: ScriptReport;
  readonly samples: readonly Sample[];
}

/**
 * Performs the steps in order, as a user would, and stops at the first that fails. Each step is a sample; a wrong
 * status or a missing text counts as an unusable response.
 */
export async function runScript(
  request: ScriptRequest,
  edges: ProbeEdges,
  isWanted: () => Promise<boolean>,
): Promise<ScriptResult> {
  const samples: Sample[] = [];
  const steps: StepOutcome[] = [];
  let stopped: ScriptReport['stopped'] = null;
  let requests = 0;
  try {
    await edges.begin(hostsOf(request.steps), request.id);
    for (const [index, step] of request.steps.entries()) {
      if (!(await isWanted())) stopped = 'switched_off';
      if (stopped !== null) break;
      if (!(await edges.permitted(step.url))) {
        steps.push({ url: step.url, ok: false, reason: 'no_permission', time: null });
        break;
      }
      requests++;
      const { url, method = 'GET', text } = step;
      const { cookies, timeoutMs } = request;
      const outcome = await edges.fetch({ url, cookies, timeoutMs, method, ...(text === undefined ? {} : { text }) });
      const reason = reasonOf(outcome, step);
      const sample = sampleOfStep(outcome, step, request, reason);
      steps.push({ url, ok: reason === null, reason, time: reason === null ? (sample?.times.ttlb ?? null) : null });
      if (sample) samples.push({ ...sample, journey: request.id, step: index + 1, run: request.at });
      if (reason !== null) break;
      await edges.sleep(request.pauseMs);
    }
  } finally {
    await edges.end();
  }
  return {
    report: { probe: request.id, startedAt: request.at, endedAt: edges.now(), requests, steps, stopped },
    samples,
  };
}

function reasonOf(outcome: RequestOutcome, step: ProbeStep): StepOutcome['reason'] {
  const fault = findFault(outcome, step.url);
  if (fault !== null) return fault;
  const status = outcome.status ?? outcome.entry?.responseStatus ?? null;
  if (step.status !== undefined && status !== step.status) return 'unexpected_status';
  return step.text === undefined || outcome.textFound ? null : 'text_missing';
}

function sampleOfStep(
  outcome: RequestOutcome,
  { url }: ProbeStep,
  { target, serverTimingMetrics, cookies }: ScriptRequest,
  reason: StepOutcome['reason'],
): Sample | null {
  const options = { target, source: SCRIPT_SOURCE, serverTimingMetrics };
  const { entry, error, startedAt, endedAt } = outcome;
  if (entry === null || error !== null) {
    return makeFailedSample({ url, type: 'xmlhttprequest', startedAt, endedAt, error: errorCode(error) }, options);
  }
  const { sample: made } = makeSample(entry, outcome.context, options);
  if (!made) return null;
  const sample = cookies ? withoutSizes(made) : made;
  const status = outcome.status ?? sample.status;
  if (reason === null) return { ...sample, status };
  const seen = isRedirectStatus(status) ? redirectedSample(sample, status) : { ...sample, status };
  // Whatever the reason, the app is unavailable to this user. A status speaks for itself.
  return { ...seen, excluded: 'status', error: reason.startsWith('status_') ? sample.error : reason.toUpperCase() };
}

function hostsOf(steps: readonly ProbeStep[]): string[] {
  return [...new Set(steps.flatMap(({ url }) => parseHttpUrl(url)?.hostname ?? []))];
}
