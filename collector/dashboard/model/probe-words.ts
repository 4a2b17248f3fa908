import type { Scenario } from '../../../shared/vocabulary/vocabulary.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import { formatCount } from '../text/format.ts';
import { t } from '../text/t.ts';

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
  timeout: 'timed out',
  no_entry: 'the browser reported no timing',
  https_upgrade: 'upgraded to HTTPS (redirect or HSTS)',
  redirected: 'redirected to another address',
  cache: 'served from a cache',
  opaque: 'times hidden',
  worker: 'answered by a service worker',
  invalid: 'timestamps out of order',
  below_clock_step: 'below the browser’s clock resolution',
  not_new: 'an existing connection was used',
  not_reused: 'a new connection was opened',
  size_changed: 'the size of the body changed',
  no_method_for_protocol: 'this browser and protocol have no way to open a new connection',
  no_permission: 'the extension has no permission for this host',
  unexpected_status: 'unexpected status',
  text_missing: 'expected text missing',
  not_idle: 'the machine was in use',
  on_battery: 'on battery',
  power_unknown: 'the browser does not report its power source',
  budget: 'hourly budget used up',
};

export function methodLabels(methods: readonly string[]): string {
  return methods.map((method) => wordFor(METHOD_LABELS, method)).join(', ');
}

/** Text for the reason of a run or step; the browser's own error codes are not translated. */
export function reasonWords(reason: string): string {
  if (reason.startsWith('error:')) return reason.slice('error:'.length);
  if (reason.startsWith('status_')) return `status ${reason.slice('status_'.length)}`;
  const lower = reason.toLowerCase();
  const own = wordFor(REASONS, lower);
  if (own !== lower) return own;
  const excluded = wordFor(t.exclusions, lower);
  return excluded === lower ? reason : excluded;
}

/** `2 × an existing connection was used, 1 × status 500`, most frequent first. */
export function countedReasons(reasons: Readonly<Record<string, number>>): string {
  return Object.entries(reasons)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${formatCount(count)} × ${reasonWords(reason)}`)
    .join(', ');
}
