import type { Scenario } from '../../../shared/vocabulary/vocabulary.ts';
import { formatCount } from '../../analysis/text/format.ts';
import { EXCLUSION_WORDS, wordFor } from '../../analysis/text/words.ts';

export const SCENARIO_LABELS: Readonly<Record<Scenario, string>> = {
  'http-new': 'HTTP, new connection',
  'http-reused': 'HTTP, reused connection',
  'https-reused': 'HTTPS, reused connection',
  'https-new': 'HTTPS, everything new',
};

const METHOD_LABELS: Readonly<Record<string, string>> = {
  keep_alive: 'kept alive',
  close_header: 'Connection: close',
  credentialless_frame: 'fresh frame',
  fresh_subdomain: 'fresh subdomain',
  idle_wait: 'idle wait',
};

const REASONS: Readonly<Record<string, string>> = {
  timeout: 'no answer in time',
  no_entry: 'the browser told nothing of it',
  https_upgrade: 'upgraded to HTTPS (redirect or HSTS)',
  redirected: 'the answer sends the browser to another address',
  cache: 'came from a cache',
  opaque: 'its times were hidden',
  worker: 'answered by a service worker',
  invalid: 'stamps out of order',
  below_clock_step: 'shorter than the browser’s clock can tell',
  not_new: 'an old connection was used',
  not_reused: 'a new connection was made',
  size_changed: 'the body had another size',
  no_method_for_protocol: 'no way to a new connection with this browser and protocol',
  no_permission: 'the extension may not reach it',
  unexpected_status: 'another status than expected',
  text_missing: 'the expected text is missing',
  not_idle: 'somebody was at the machine',
  on_battery: 'on battery',
  power_unknown: 'the browser does not tell whether it is on power',
  budget: 'the hour’s budget was spent',
};

export function methodLabels(methods: readonly string[]): string {
  return methods.map((method) => wordFor(METHOD_LABELS, method)).join(', ');
}

/** A reason of a run, turn or step as a reader sees it; codes that browsers made up stay as they are. */
export function reasonWords(reason: string): string {
  if (reason.startsWith('error:')) return reason.slice('error:'.length);
  if (reason.startsWith('status_')) return `status ${reason.slice('status_'.length)}`;
  const lower = reason.toLowerCase();
  const own = wordFor(REASONS, lower);
  if (own !== lower) return own;
  const excluded = wordFor(EXCLUSION_WORDS, lower);
  return excluded === lower ? reason : excluded;
}

/** `2 × an old connection was used, 1 × status 500`, most frequent first. */
export function countedReasons(reasons: Readonly<Record<string, number>>): string {
  return Object.entries(reasons)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${formatCount(count)} × ${reasonWords(reason)}`)
    .join(', ');
}
