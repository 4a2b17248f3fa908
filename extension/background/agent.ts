import type { BatchOrigin } from '../../shared/sample/sample.ts';
import type { ExtensionSettings } from '../../shared/settings/settings-schema.ts';
import type { EntryGroup } from '../messages.ts';
import type { CaptureState } from './capture-registration.ts';
import { type Delivery, FRESH_DELIVERY } from './delivery.ts';
import type { EntryIntake, Frame } from './entry-intake.ts';
import type { StateStore } from './local-state.ts';
import type { FailedNavigation } from './observe-requests.ts';
import type { Enrolment } from './read-enrolment.ts';
import type { SampleQueue } from './sample-queue.ts';
import type { SettingsPoll } from './settings-poll.ts';
import { type Status, stateOf } from './status.ts';

/** Everything the agent works with; `background.ts` puts the real ones together. */
export interface AgentParts {
  readonly state: StateStore;
  readonly queue: SampleQueue;
  readonly poll: SettingsPoll;
  readonly delivery: Delivery;
  readonly intake: EntryIntake;
  readonly enrolment: () => Promise<Enrolment | null>;
  readonly register: (settings: ExtensionSettings | null) => Promise<CaptureState>;
  readonly origin: (enrolment: Enrolment) => Promise<BatchOrigin>;
  readonly now: () => number;
}

/** Less than the alarm's half minute, and enough not to ask at each of a loading page's events, ms. */
const ASK_AGAIN_MS = 20_000;

/** What the background does at each event. Two of a kind never run at once. */
export class Agent {
  readonly #parts: AgentParts;
  #intake: Promise<unknown> = Promise.resolve();
  #registration: Promise<unknown> = Promise.resolve();
  #refresh: Promise<void> | null = null;

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  async settings(): Promise<ExtensionSettings | null> {
    return this.#parts.poll.current(await this.#parts.enrolment());
  }

  /** Asks the collector for settings and captures what they say. A call during a run joins it. */
  refresh(): Promise<void> {
    this.#refresh ??= this.#refreshNow().finally(() => {
      this.#refresh = null;
    });
    return this.#refresh;
  }

  async #refreshNow(): Promise<void> {
    const { poll, delivery } = this.#parts;
    const enrolment = await this.#parts.enrolment();
    if (enrolment && (await poll.refresh(enrolment)) === 'ok') await delivery.keyAccepted();
    await this.register();
  }

  /** One at a time: two at once would register the script twice, or not at all. */
  register(): Promise<CaptureState> {
    const registered = this.#registration.then(() => this.#registerNow());
    this.#registration = registered.catch(() => {}); // the caller hears of it
    return registered;
  }

  async #registerNow(): Promise<CaptureState> {
    const { state } = this.#parts;
    const enrolment = await this.#parts.enrolment();
    const settings = await this.#parts.poll.current(enrolment);
    const capture = await this.#parts.register(settings);
    const registered = `${enrolment?.collector} ${settings?.revision}`;
    if ((await state.read('registered')) !== registered) await state.write('registered', registered);
    return capture;
  }

  /**
   * Makes up for what a background that was stopped halfway, or a browser that started before its network was there,
   * left undone. True once nothing is missing that could be got by asking again.
   */
  async recover(): Promise<boolean> {
    const { state, now } = this.#parts;
    const enrolment = await this.#parts.enrolment();
    if (!enrolment) return true;
    const poll = await state.read('poll');
    const asked = poll?.collector === enrolment.collector ? poll : null;
    if (asked?.outcome === 'refused') return true;
    const settings = await this.settings();
    if (settings === null) {
      const ago = asked ? now() - asked.at : ASK_AGAIN_MS;
      // A clock set back must not silence it.
      if (ago >= 0 && ago < ASK_AGAIN_MS) return false;
      await this.refresh();
      return (await this.settings()) !== null;
    }
    if ((await state.read('registered')) !== `${enrolment.collector} ${settings.revision}`) await this.register();
    return true;
  }

  /** Resolves once the group is on disk. */
  take(group: EntryGroup, frame: Frame | null): Promise<void> {
    return this.#oneAtATime(async () => {
      const { intake, delivery } = this.#parts;
      const settings = await this.settings();
      const lost = await intake.take(group, frame, settings).catch(async (error: unknown) => {
        if (!isDiskFull(error) || !(await delivery.makeRoom())) throw error;
        return intake.take(group, frame, settings);
      });
      await this.#count(lost);
    });
  }

  /** The same for a document that never came. */
  takeFailure(failure: FailedNavigation): Promise<void> {
    return this.#oneAtATime(async () => this.#parts.intake.takeFailure(failure, await this.settings()));
  }

  #oneAtATime(intake: () => Promise<void>): Promise<void> {
    const taken = this.#intake.then(intake);
    this.#intake = taken.catch(() => {}); // the caller hears of it; the next group is not to suffer
    return taken;
  }

  /** Sends what waits. Resolves with the milliseconds after which to try again; null where nothing failed. */
  async deliver(): Promise<number | null> {
    const enrolment = await this.#parts.enrolment();
    if (!enrolment) return null;
    await this.#parts.delivery.run(enrolment, await this.#parts.origin(enrolment));
    const { failures, notBefore } = (await this.#parts.state.read('delivery')) ?? FRESH_DELIVERY;
    return failures > 0 ? Math.max(0, notBefore - this.#parts.now()) : null;
  }

  async status(): Promise<Status> {
    const { state, queue } = this.#parts;
    const [enrolment, settings, delivery, poll, waiting, lost] = await Promise.all([
      this.#parts.enrolment(),
      this.settings(),
      state.read('delivery'),
      state.read('poll'),
      queue.count(),
      state.read('lost'),
    ]);
    const targets = settings?.targets.map(({ id, name, match }) => ({ id, name, match })) ?? [];
    const capture = await this.register();
    const outcome = poll?.outcome ?? null;
    const facts = { poll: outcome, targets, capture };
    return {
      ...facts,
      state: stateOf({
        ...facts,
        enrolled: enrolment !== null,
        settings: settings !== null,
        refused: (delivery?.refused ?? null) !== null,
      }),
      collector: enrolment?.collector ?? null,
      enrolledBy: enrolment?.source ?? null,
      waiting,
      // The key stays in the background.
      delivery: { ...FRESH_DELIVERY, ...delivery, refused: delivery?.refused ? 'refused' : null },
      lost: lost ?? {},
    };
  }

  async #count(lost: Readonly<Record<string, number>>): Promise<void> {
    const reasons = Object.entries(lost);
    if (reasons.length === 0) return;
    const counted = { ...(await this.#parts.state.read('lost')) };
    for (const [reason, count] of reasons) counted[reason] = (counted[reason] ?? 0) + count;
    await this.#parts.state.write('lost', counted);
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError';
}
