import { wordFor } from './word-for.ts';

/** Why a run or a step of a probe failed or was skipped, in English; see `GERMAN_PROBE_REASONS`. */
export const PROBE_REASONS = {
  reasons: {
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
    text_with_cookies: 'refused by the browser: it sends cookies and looks for a text',
  } as Readonly<Record<string, string>>,
  status: (status: string) => `status ${status}`,
  /** @param reason in words */
  atStep: (step: number, reason: string) => `step ${step}: ${reason}`,
};
export type ProbeReasonTexts = typeof PROBE_REASONS;

/** Text for the reason of a run or step; the browser's own error codes are not translated. */
export function probeReasonText(
  reason: string,
  {
    probeReasons,
    exclusions,
  }: {
    readonly probeReasons: ProbeReasonTexts;
    readonly exclusions: Readonly<Record<string, string>>;
  },
): string {
  if (reason.startsWith('error:')) return reason.slice('error:'.length);
  if (reason.startsWith('status_')) return probeReasons.status(reason.slice('status_'.length));
  const lower = reason.toLowerCase();
  const own = wordFor(probeReasons.reasons, lower);
  if (own !== lower) return own;
  const excluded = wordFor(exclusions, lower);
  return excluded === lower ? reason : excluded;
}
