import type { ExtensionSettings } from '../../shared/settings/settings-schema.ts';
import { areSoundProbes } from '../probe/are-sound-probes.ts';
import { askCollector } from './ask-collector.ts';
import type { Enrolment } from './enrolment.ts';
import type { Environment } from './environment.ts';
import type { StateStore } from './state-store.ts';

export const SETTINGS_PATH = '/api/v1/extension-settings';

const TIMEOUT_MS = 20_000;

export interface PollState {
  readonly collector: string;
  readonly at: number;
  readonly outcome: PollOutcome;
}

/** Its part of LocalState. */
interface SettingsState {
  readonly settings: { readonly etag: string | null; readonly document: ExtensionSettings };
  readonly poll: PollState;
}

/** `refused`: the collector rejected the key. Any other failure leaves the last good settings in force. */
export type PollOutcome = 'ok' | 'refused' | 'unreachable' | 'redirected' | `http_${number}` | 'unreadable';

/** Fetches the settings. The last good response is kept; before the first, nothing is collected. */
export class SettingsPoll {
  readonly #state: StateStore<SettingsState>;
  readonly #environment: Environment;

  constructor(state: StateStore<SettingsState>, environment: Environment) {
    this.#state = state;
    this.#environment = environment;
  }

  /** Settings in force for this collector: null before the first, after a change of collector, and when refused. */
  async current(enrolment: Enrolment | null): Promise<ExtensionSettings | null> {
    const [settings, poll] = await Promise.all([this.#state.read('settings'), this.#state.read('poll')]);
    if (!enrolment || !settings || poll?.collector !== enrolment.collector || poll.outcome === 'refused') return null;
    return settings.document;
  }

  async refresh(enrolment: Enrolment): Promise<PollOutcome> {
    const [cached, before] = await Promise.all([this.#state.read('settings'), this.#state.read('poll')]);
    const known = before?.collector === enrolment.collector ? cached : null;
    const outcome = await this.#ask(enrolment, known?.etag ?? null);
    // A failure keeps the last good settings, but never those of another collector.
    if (!known && outcome !== 'ok') await this.#state.forget('settings');
    await this.#state.write('poll', { collector: enrolment.collector, at: this.#environment.now(), outcome });
    return outcome;
  }

  async #ask(enrolment: Enrolment, etag: string | null): Promise<PollOutcome> {
    const headers: Record<string, string> = etag ? { 'if-none-match': etag } : {};
    const answer = await askCollector(enrolment, SETTINGS_PATH, this.#environment, TIMEOUT_MS, { headers });
    if (answer === null) return 'unreachable';
    const { status, body } = answer;
    if (status === 0) return 'redirected';
    if (status === 304) return 'ok';
    if (status === 401 || status === 403) return 'refused';
    if (status < 200 || status > 299) return `http_${status}`;
    if (!isExtensionSettings(body)) return 'unreadable';
    await this.#state.write('settings', { etag: answer.headers.get('etag'), document: body });
    return 'ok';
  }
}

/** Checked by hand: the schema's validator needs a Function constructor, which extensions may not use. */
export function isExtensionSettings(value: unknown): value is ExtensionSettings {
  if (typeof value !== 'object' || value === null) return false;
  const { version, targets, delivery, probes } = value as Partial<ExtensionSettings>;
  return (
    version === 1 &&
    typeof delivery?.intervalSeconds === 'number' &&
    Array.isArray(targets) &&
    targets.every(
      (target) =>
        typeof target?.id === 'string' &&
        Array.isArray(target.match) &&
        target.match.every((pattern) => typeof pattern === 'string'),
    ) &&
    (probes === undefined || areSoundProbes(probes))
  );
}
