import { isRedirectStatus } from '../../shared/classify/exclusion.ts';
import type { RequestOutcome } from '../../shared/probes/prove-request.ts';
import type { SequenceRequest } from '../../shared/probes/sequence-request.ts';
import { parseHttpUrl } from '../../shared/redact/http-url.ts';
import { makeFailedSample } from '../../shared/sample/failed-request.ts';
import { makeSample } from '../../shared/sample/make-sample.ts';
import type { Sample } from '../../shared/sample/sample.ts';
import type { ProbeMethod } from '../../shared/vocabulary/probe-words.ts';
import type { Scenario } from '../../shared/vocabulary/vocabulary.ts';

/** Neither can resume a session: the partition, or the host name, is used for the first time. */
const PROVES_FULL: ReadonlySet<ProbeMethod> = new Set(['credentialless_frame', 'fresh_subdomain']);

/** A probe request as an ordinary sample with its scenario as source; null if nothing is known about it. */
export function sampleOfRequest(
  outcome: RequestOutcome,
  url: string,
  scenario: Scenario,
  { target, url: probeUrl, serverTimingMetrics, cookies }: SequenceRequest,
  { warmup, proven, method }: { warmup: boolean; proven: boolean; method: ProbeMethod },
): Sample | null {
  const { entry, error, startedAt, endedAt } = outcome;
  const options = {
    target,
    source: `probe-${scenario}`,
    serverTimingMetrics,
    warmup,
    provenHandshake: proven && scenario === 'https-new' && PROVES_FULL.has(method) ? ('full' as const) : null,
  };
  // Recorded under the probe's own host: fresh subdomains are not hosts of the target.
  const host = parseHttpUrl(probeUrl)?.hostname ?? '';
  if (entry === null || error !== null) {
    const failed = { url, type: 'xmlhttprequest', startedAt, endedAt, error: errorCode(error) };
    const sample = makeFailedSample(failed, options);
    return sample && asAnswered({ ...sample, host });
  }
  const { sample } = makeSample(entry, outcome.context, options);
  if (!sample) return null;
  const excluded = sample.excluded ?? (proven || warmup ? null : 'unproven');
  // A frame's entry hides its status.
  return asAnswered({ ...sample, host, type: 'fetch', status: outcome.status ?? sample.status, excluded });

  function asAnswered(made: Sample): Sample {
    const shown = cookies ? withoutSizes(made) : made;
    return isRedirectStatus(outcome.status) ? redirectedSample(shown, outcome.status) : shown;
  }
}

/** With the user's cookies, sizes would tell what a page says. */
export function withoutSizes(sample: Sample): Sample {
  return { ...sample, transferSize: null, encodedBodySize: null, decodedBodySize: null };
}

/** In the form in which error codes leave the browser. */
export function errorCode(error: string | null): string {
  return error === 'timeout' ? 'TIMEOUT' : (error ?? 'other');
}

/**
 * The same sample as a redirect that was not followed. Chromium hides the stamps of such a response, or reports none;
 * that makes it neither opaque nor failed.
 */
export function redirectedSample(sample: Sample, status: number): Sample {
  const isHidden = sample.connection === 'opaque' || sample.connection === 'failed';
  const seen = isHidden ? ({ connection: 'unknown', connectionEvidence: 'hidden_stamps', error: null } as const) : {};
  return { ...sample, ...seen, status, excluded: 'redirect' };
}
