import type { BreakReason } from '../../../shared/vocabulary/break-reasons.ts';
import type { SkipReason } from '../../../shared/wire/browser-status.ts';
import type { PROBE_REASONS as REPORTED } from '../../../shared/wire/status-words.ts';
import type { Failure } from '../probes/journey-results.ts';
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
    not_robot: 'refused by a browser that is no robot',
    no_variable: 'the machine has no value for one of its variables',
    switched_off: 'switched off while it ran',
  } satisfies Readonly<Record<Exclude<(typeof REPORTED)[number], BreakReason> | SkipReason, string>>,
  /** What broke a recording, to follow `step 4: `. */
  breaks: {
    element_not_found: 'the page has no such element',
    not_visible: 'the element is there and cannot be seen',
    covered: 'something covers the element',
    disabled: 'the element is disabled',
    not_editable: 'the element takes no input',
    no_such_option: 'the list has no such option',
    unknown_key: 'there is no such key',
    condition_not_met: 'what it waits for has not come',
    frame_not_found: 'the page has no such frame',
    navigation_failed: 'the page could not be loaded',
    redirect_loop: 'the page redirects in a circle',
    http_status: 'the server answered the page with an error',
    sign_in_page: 'the app asks to sign in',
    wrong_page: 'another page came than the recorded one',
    not_settled: 'the page has not settled',
    dialog: 'the page opened a dialog',
    file_chooser: 'the page asks for a file',
    window_opened: 'the page opened a window',
    page_closed: 'the tab was closed',
    browser_quit: 'the browser quit',
    untrusted_events: 'the page insists on events of a real user',
  } satisfies Readonly<Record<BreakReason, string>>,
  status: (status: string) => `status ${status}`,
  /** @param journey with its app and sites @param at since when it is down, or when it last failed */
  failed: (journey: string, why: string, at: string, isDown: boolean) =>
    `${journey} ${isDown ? 'has been down since' : 'last failed at'} ${at}, ${why}.`,
  /** @param reason in words */
  atStep: (step: number, reason: string) => `step ${step}: ${reason}`,
  quoted: (text: string) => `“${text}”`,
  lookedFor: (selectors: string) => `looked for ${selectors}`,
  page: (place: string, consoleErrors: number, failedRequests: number) =>
    `the page: ${place}, errors in the console: ${consoleErrors}, failed requests: ${failedRequests}`,
  nearest: (elements: string) => `nearest: ${elements}`,
};
export type ProbeReasonTexts = typeof PROBE_REASONS;

interface Texts {
  readonly probeReasons: ProbeReasonTexts;
  readonly exclusions: Readonly<Record<string, string>>;
}

/** At which step a run failed, and why. */
export function failureText({ step, reason, broke }: Failure, texts: Texts): string {
  const why = probeReasonText(reason, texts);
  return texts.probeReasons.atStep(step, broke?.detail ? `${why} (${broke.detail})` : why);
}

/** What a recording needed, the page that there was instead, and its nearest elements, as far as they are known. */
export function evidenceTexts(
  { lookedFor, page }: Pick<NonNullable<Failure['broke']>, 'lookedFor' | 'page'>,
  words: ProbeReasonTexts,
): string[] {
  const elements = page?.nearest.map(({ role, name }) => `${role} ${words.quoted(name)}`) ?? [];
  const place = [
    ...(page?.title ? [words.quoted(page.title)] : []),
    ...(page?.url ? [page.url] : []),
    ...(page?.status ? [words.status(String(page.status))] : []),
  ];
  return [
    ...(lookedFor.length > 0 ? [words.lookedFor(lookedFor.join(', '))] : []),
    ...(page === null ? [] : [words.page(place.join(', '), page.consoleErrors, page.failedRequests)]),
    ...(elements.length > 0 ? [words.nearest(elements.join(', '))] : []),
  ];
}

/** Text for the reason of a run or step; the browser's own error codes are not translated. */
export function probeReasonText(reason: string, { probeReasons, exclusions }: Texts): string {
  if (reason.startsWith('error:')) return reason.slice('error:'.length);
  if (reason.startsWith('status_')) return probeReasons.status(reason.slice('status_'.length));
  const lower = reason.toLowerCase();
  const own = wordFor({ ...probeReasons.reasons, ...probeReasons.breaks }, lower);
  if (own !== lower) return own;
  const excluded = wordFor(exclusions, lower);
  return excluded === lower ? reason : excluded;
}
