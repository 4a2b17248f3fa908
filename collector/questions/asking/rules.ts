import type { Exclusion } from '../../../shared/vocabulary/vocabulary.ts';

/** Every exclusion in words; the type makes sure that a new one is not forgotten. */
const EXCLUSION_RULES: Readonly<Record<Exclusion, string>> = {
  failed: 'Requests that failed are counted as failed and stay out of times.',
  invalid: 'Entries whose stamps are out of order, negative or missing are counted as invalid, never corrected.',
  worker: 'Answers of a service worker are counted as worker and stay out of times.',
  status: 'Answers other than 2xx and 3xx are counted as status and stay out of times.',
  redirect: 'Redirects are counted as redirect and stay out of times.',
  challenge: 'Requests for which the browser had to sign in first are counted as challenge and stay out of times.',
  warmup: 'Warm-up requests of probes are counted as warmup and stay out of times.',
  hidden: 'Requests of hidden tabs are counted as hidden and stay out of times.',
  bfcache: 'Pages back from the back/forward cache are counted as bfcache and stay out of times.',
  prerender: 'Prerendered pages are counted as prerender and stay out of times.',
  rule: 'What an exclusion rule of the settings names is counted as rule and stays out of times.',
  unproven: 'Runs of probes that do not prove their scenario are counted as unproven and stay out of times.',
};

/** The rules behind every number of a summary, in words: what `method.rules` holds. */
export const RULES: readonly string[] = [
  ...Object.values(EXCLUSION_RULES),
  'Answers from the browser cache and opaque cross-origin entries are counted and stay out of times.',
  'Unknown times are null with a reason, never 0.',
  'dns, tcp and tls are statistics of new connections only, unless called per request.',
  'Quantiles are sorted values at index ⌊q(n−1)⌋, never interpolated.',
];
