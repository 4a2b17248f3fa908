import { askCollector } from './ask-collector.ts';
import type { Enrolment } from './enrolment.ts';
import type { Environment } from './environment.ts';
import { isExtensionSettings, SETTINGS_PATH } from './settings-poll.ts';

const TIMEOUT_MS = 10_000;

/** The outcome of a connection test; the options page has a sentence for each. */
export type ConnectionResult =
  | { readonly result: 'ok'; readonly targets: number }
  | { readonly result: 'unreachable' | 'redirected' | 'wrong_key' | 'not_a_collector' | 'busy' };

/** Requests the settings as the extension would. Changes nothing. */
export async function testConnection(
  enrolment: Pick<Enrolment, 'collector' | 'key'>,
  environment: Pick<Environment, 'fetch'>,
): Promise<ConnectionResult> {
  const answer = await askCollector(enrolment, SETTINGS_PATH, environment, TIMEOUT_MS);
  if (answer === null) return { result: 'unreachable' };
  const { status, body } = answer;
  if (status === 0) return { result: 'redirected' };
  if (status === 200 && isExtensionSettings(body)) return { result: 'ok', targets: body.targets.length };
  // Anything else that answers there does not report errors as the collector does.
  if (!isCollectorError(body)) return { result: 'not_a_collector' };
  if (status === 401 || status === 403) return { result: 'wrong_key' };
  return { result: status >= 500 || status === 429 ? 'busy' : 'not_a_collector' };
}

function isCollectorError(answer: unknown): boolean {
  const error = (answer as { error?: { code?: unknown; hint?: unknown } } | null)?.error;
  return typeof error?.code === 'string' && typeof error.hint === 'string';
}
