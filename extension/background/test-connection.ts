import type { Enrolment } from './enrolment.ts';
import type { Environment } from './environment.ts';
import { isExtensionSettings } from './settings-poll.ts';

const TIMEOUT_MS = 10_000;

/** The outcome of a connection test; the options page has a sentence for each. */
export type ConnectionResult =
  | { readonly result: 'ok'; readonly targets: number }
  | { readonly result: 'unreachable' | 'wrong_key' | 'not_a_collector' | 'busy' };

/** Requests the settings as the extension would. Changes nothing. */
export async function testConnection(
  { collector, key }: Pick<Enrolment, 'collector' | 'key'>,
  environment: Pick<Environment, 'fetch'>,
): Promise<ConnectionResult> {
  let response: Response;
  try {
    response = await environment.fetch(`${collector}/api/v1/extension-settings`, {
      headers: { authorization: `Bearer ${key}` },
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    return { result: 'unreachable' };
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && isExtensionSettings(answer)) return { result: 'ok', targets: answer.targets.length };
  // Anything else that answers there does not report errors as the collector does.
  if (!isCollectorError(answer)) return { result: 'not_a_collector' };
  if (response.status === 401 || response.status === 403) return { result: 'wrong_key' };
  return { result: response.status >= 500 || response.status === 429 ? 'busy' : 'not_a_collector' };
}

function isCollectorError(answer: unknown): boolean {
  const error = (answer as { error?: { code?: unknown; hint?: unknown } } | null)?.error;
  return typeof error?.code === 'string' && typeof error.hint === 'string';
}
