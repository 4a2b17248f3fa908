import { needsAttention, type Status } from '../background/status.ts';
import { mayAsk } from './app-list.ts';
import { ask } from './ask.ts';
import { element } from './element.ts';
import { knownText, moment, text } from './text.ts';

/** The background answers within milliseconds, unless the browser delays it. */
const PATIENCE_MS = 1_000;

/** Requests the status, and shows what is taking so long if it does. */
export async function askForState(): Promise<Status> {
  const late = setTimeout(() => {
    element('hint').textContent = text('hint_loading');
  }, PATIENCE_MS);
  try {
    return await ask({ kind: 'status' });
  } finally {
    clearTimeout(late);
  }
}

/** Fills what popup and options page have in common: the state, and what to do about it. */
export function showState(status: Status): void {
  const state = element('state');
  const look = needsAttention(status) ? 'attention' : status.state === 'collecting' ? 'good' : 'quiet';
  state.dataset.look = look;
  state.textContent = stateText(status);
  const robot = status.declared.robot === null ? '' : text('robot_is');
  element('hint').textContent = `${robot} ${hintText(status)}`.trim();
}

/** Shows an error as it is. */
export function showError(error: unknown): void {
  const state = element('state');
  state.dataset.look = 'attention';
  state.textContent = text('state_error');
  element('hint').textContent = error instanceof Error ? error.message : String(error);
}

/** The code of a collector or network error as a sentence; an unknown code is shown as it is. */
export function problemText(code: string): string {
  return knownText(`problem_${code}`) ?? text('problem_other', code);
}

function stateText({ state, paused }: Status): string {
  if (state !== 'paused' || !paused) return text(`state_${state}`);
  if (typeof paused.until === 'number') return text('paused_until', moment(paused.until));
  return text(`paused_${paused.until}`);
}

function hintText(status: Status): string {
  const { state, paused, poll, delivery, targets } = status;
  if (paused?.until === 'turn') return text('hint_turn');
  if (state === 'no_settings' && poll !== null && poll !== 'ok') {
    return `${text('hint_no_settings')} ${problemText(poll)}`;
  }
  if (state === 'degraded' && targets.every(({ missing }) => missing.length === 0)) return text('hint_after_restart');
  if (state === 'degraded' && !mayAsk()) return text('hint_degraded_package');
  if (state === 'collecting' && delivery.failures > 0) return text('hint_waiting');
  return text(`hint_${state}`);
}
