import type { Sample } from '../../shared/sample/sample.ts';

/** 304 is an answer. https://www.rfc-editor.org/rfc/rfc9110#section-15.4 */
export function isRedirectStatus(status: number | null): status is number {
  return status !== null && status >= 300 && status < 400 && status !== 304;
}

/**
 * The same as a redirect that was not followed. Chromium hides the stamps of such an answer, or gives none: that makes it
 * neither somebody else's nor a failure.
 */
export function redirectedSample(sample: Sample, status: number): Sample {
  const isHidden = sample.connection === 'opaque' || sample.connection === 'failed';
  const seen = isHidden ? ({ connection: 'unknown', connectionEvidence: 'hidden_stamps', error: null } as const) : {};
  return { ...sample, ...seen, status, excluded: 'redirect' };
}
