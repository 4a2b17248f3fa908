import type { Breakage } from '../../../shared/journeys/run-outcome.ts';
import type { BreakReason } from '../../../shared/vocabulary/break-reasons.ts';
import { alignColumns } from '../../lib/align-columns.ts';
import type { JourneyRun } from './run-journey.ts';

const NONE = '–';

/** What broke, to follow `Step 4 of 9, click Save:`. */
const SENTENCES: Readonly<Record<BreakReason, string>> = {
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
};

/** The human-readable output of `lastbyte journey run`. */
export function journeyTable(title: string, total: number, { steps, broke, ms }: JourneyRun): string[] {
  const rows = steps.map((step) => [
    String(step.step),
    step.name,
    (step.ms?.toFixed(0) ?? NONE) + (isOver(step) ? ` > ${step.thresholdMs}` : ''),
    String(step.requests),
    String(step.connections),
    (step.bytes / 1024).toFixed(1),
  ]);
  return [
    ...alignColumns([['step', title, 'ms', 'requests', 'connections', 'KB'], ...rows]),
    '',
    broke === null
      ? `Up: ${total} steps in ${ms?.toFixed(0)} ms.`
      : `Down: ${explainBreakage(broke, total, steps.at(-1)?.name)}`,
    ...(broke === null ? [] : evidenceLines(broke)),
  ];
}

function isOver({ ms, thresholdMs }: JourneyRun['steps'][number]): boolean {
  return ms !== null && thresholdMs !== null && ms > thresholdMs;
}

export function explainBreakage({ step, reason, detail }: Breakage, total: number, name = ''): string {
  const more = detail === null ? '' : ` (${detail})`;
  return `step ${step} of ${total}, ${name}: ${SENTENCES[reason]}${more}.`;
}

function evidenceLines({ lookedFor, page }: Breakage): string[] {
  const selectors = lookedFor.length === 0 ? [] : [`Looked for: ${lookedFor.join(', ')}`];
  if (page === null) return selectors;
  const { title, url, status, consoleErrors, failedRequests, nearest } = page;
  const errors = `${consoleErrors} errors in the console, ${failedRequests} failed requests`;
  return [
    ...selectors,
    `The page: ${title || 'untitled'}, ${url || 'no address'}, HTTP status ${status ?? NONE}, ${errors}`,
    ...nearest.map(({ role, name }) => `  ${role} "${name}"`),
  ];
}
