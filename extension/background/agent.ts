import type { ClientInfo } from '../../shared/sample/sample.ts';
import type { ExtensionSettings } from '../../shared/settings/settings-schema.ts';
import type { EntryGroup } from '../packed-group.ts';
import type { CaptureState } from './capture-registration.ts';
import type { DeclaredBy, Role } from './declared.ts';
import { type Delivery, FRESH_DELIVERY } from './delivery.ts';
import type { Enrolment } from './enrolment.ts';
import type { EntryIntake, Frame, Lost } from './entry-intake.ts';
import type { LocalStore } from './local-state.ts';
import type { FailedNavigation } from './observe-requests.ts';
import type { PauseSwitch } from './pause.ts';
import type { SampleQueue } from './sample-queue.ts';
import type { SentLog } from './sent-log.ts';
import type { SettingsPoll } from './settings-poll.ts';
import { compareTimes, probeOutcomes, type Status, targetStatuses, toState } from './status.ts';

/** What the agent works with; `composition.ts` supplies the real ones. */
export interface AgentDeps {
  readonly state: LocalStore;
  readonly queue: SampleQueue;
  readonly poll: SettingsPoll;
  readonly delivery: Delivery;
  readonly intake: EntryIntake;
  /** Whether the browser reports failures at all: the permission may have been granted just now, without effect yet. */
  readonly hearsOfFailures: () => Promise<boolean>;
  readonly pause: PauseSwitch;
  readonly sent: SentLog;
  readonly mayPauseForGood: () => Promise<boolean>;
  readonly declared: (role: Role) => Promise<DeclaredBy>;
  readonly enrolment: () => Promise<Enrolment | null>;
  readonly register: (settings: ExtensionSettings | null) => Promise<CaptureState>;
  readonly origin: (enrolment: Enrolment) => Promise<ClientInfo>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Below the alarm's half minute, and long enough not to ask at each event of a loading page, ms. */
const ASK_AGAIN_MS = 20_000;

/** How long the browser may take to report a failure that the page has already reported, ms. */
const FAILURE_WAIT_MS = 5_000;
const LOOK_AGAIN_MS = 100;

/** What the background does at each event. Two operations of one kind never run at once. */
export class Agent {
  readonly #deps: AgentDeps;
  #intake: Promise<unknown> = Promise.resolve();
  #registration: Promise<unknown> = Promise.resolve();
  #refresh: Promise<Enrolment | null> | null = null;

  constructor(deps: AgentDeps) {
    this.#deps = deps;
  }

  /** What to measure now; null before the first settings, with a rejected key and during a pause. */
  async settings(): Promise<ExtensionSettings | null> {
    const [paused, known] = await Promise.all([this.#deps.pause.current(), this.#known()]);
    return paused ? null : known;
  }

  /** The settings, whether or not a pause is in force. */
  async #known(): Promise<ExtensionSettings | null> {
    return this.#deps.poll.current(await this.#deps.enrolment());
  }

  /**
   * Fetches the settings and applies them. A call during a run joins it, and runs again if the enrolment has changed since
   * the run read it: a browser enrolled while starting would never fetch its settings.
   */
  async refresh(): Promise<void> {
    const used = await this.#join();
    const now = await this.#deps.enrolment();
    if (now?.collector !== used?.collector || now?.key !== used?.key) await this.#join();
  }

  #join(): Promise<Enrolment | null> {
    this.#refresh ??= this.#refreshNow().finally(() => {
      this.#refresh = null;
    });
    return this.#refresh;
  }

  /** Resolves to the enrolment it used. */
  async #refreshNow(): Promise<Enrolment | null> {
    const { poll, delivery } = this.#deps;
    const enrolment = await this.#deps.enrolment();
    if (enrolment && (await poll.refresh(enrolment)) === 'ok') await delivery.collectorAnswered();
    await this.register();
    return enrolment;
  }

  /** One at a time: concurrent calls would register the script twice, or not at all. */
  register(): Promise<CaptureState> {
    const registered = this.#registration.then(() => this.#registerNow());
    this.#registration = registered.catch(() => {}); // the caller hears of it
    return registered;
  }

  async #registerNow(): Promise<CaptureState> {
    const { state } = this.#deps;
    const [settings, mark] = [await this.settings(), await this.#mark()];
    const capture = await this.#deps.register(settings);
    if ((await state.read('registered')) !== mark) await state.write('registered', mark);
    return capture;
  }

  /** What the capture depends on, as one string; capture is registered again when it changes. */
  async #mark(): Promise<string> {
    const [enrolment, settings] = await Promise.all([this.#deps.enrolment(), this.settings()]);
    return `${enrolment?.collector} ${settings?.revision}`;
  }

  /**
   * Completes work left undone by a background that was stopped halfway, or by a browser that started before its
   * network was up. Resolves to true once another attempt could achieve nothing.
   */
  async recover(): Promise<boolean> {
    const { state, now } = this.#deps;
    const enrolment = await this.#deps.enrolment();
    if (!enrolment) return true;
    const poll = await state.read('poll');
    const asked = poll?.collector === enrolment.collector ? poll : null;
    if (asked?.outcome === 'refused') return true;
    if ((await this.#known()) === null) {
      const ago = asked ? now() - asked.at : ASK_AGAIN_MS;
      // Keeps asking after the clock was set back.
      if (ago >= 0 && ago < ASK_AGAIN_MS) return false;
      await this.refresh();
      return (await this.#known()) !== null;
    }
    if ((await state.read('registered')) !== (await this.#mark())) await this.register();
    return true;
  }

  /** Resolves once the group is on disk. */
  async take(received: EntryGroup, frame: Frame | null): Promise<void> {
    // Outside the queue of groups: a page full of failures must not hold up the others.
    const lacksFailure = () => this.#deps.intake.lacksFailure(received, frame);
    if (lacksFailure() && (await this.#deps.hearsOfFailures())) {
      for (let ms = 0; ms < FAILURE_WAIT_MS && lacksFailure(); ms += LOOK_AGAIN_MS) {
        await this.#deps.sleep(LOOK_AGAIN_MS);
      }
    }
    return this.#oneAtATime(async () => {
      const { intake, delivery, pause } = this.#deps;
      const settings = await this.settings();
      const unwatched = await pause.covers();
      const entries = received.entries.filter(({ entry }) => !unwatched(received.timeOrigin + entry.startTime));
      const group = { ...received, entries };
      const lost = await intake.take(group, frame, settings).catch(async (error: unknown) => {
        if (!isDiskFull(error) || !(await delivery.makeRoom())) throw error;
        return intake.take(group, frame, settings);
      });
      await this.count(lost);
    });
  }

  /** The same for a document that failed to load. */
  takeFailure(failure: FailedNavigation): Promise<void> {
    return this.#oneAtATime(async () => this.#deps.intake.takeFailure(failure, await this.settings()));
  }

  #oneAtATime(intake: () => Promise<void>): Promise<void> {
    const taken = this.#intake.then(intake);
    this.#intake = taken.catch(() => {}); // the caller handles it; the next group is unaffected
    return taken;
  }

  /** Sends what is queued. Resolves to the milliseconds after which to retry; null if nothing failed. */
  async deliver(): Promise<number | null> {
    // At once: each waits for the policy, which the browser may take long to read.
    const [enrolment, paused] = await Promise.all([this.#deps.enrolment(), this.#deps.pause.current()]);
    if (!enrolment || paused) {
      // An indefinite pause must not keep samples for longer than usual.
      await this.#deps.delivery.trim();
      return null;
    }
    await this.#deps.delivery.run(enrolment, await this.#deps.origin(enrolment));
    const { failures, notBefore } = (await this.#deps.state.read('delivery')) ?? FRESH_DELIVERY;
    return failures > 0 ? Math.max(0, notBefore - this.#deps.now()) : null;
  }

  async status(): Promise<Status> {
    const { state, queue, sent, pause, now, mayPauseForGood, declared } = this.#deps;
    const [enrolment, settings, paused, delivery, poll, waiting, lost, names, probes, client, medians, forGood] =
      await Promise.all([
        this.#deps.enrolment(),
        this.#known(),
        pause.current(),
        state.read('delivery'),
        state.read('poll'),
        queue.count(),
        state.read('lost'),
        state.read('names'),
        state.read('probes'),
        state.read('client'),
        sent.medians(now()),
        mayPauseForGood(),
      ]);
    const [capture, robot] = [await this.register(), await declared('robot')];
    const targets = targetStatuses(settings, capture, robot !== null);
    const outcome = poll?.outcome ?? null;
    return {
      poll: outcome,
      targets,
      capture,
      paused,
      mayPauseForGood: forGood,
      declared: { recorder: await declared('recorder'), robot },
      state: toState({
        poll: outcome,
        targets,
        capture,
        paused: paused !== null,
        enrolled: enrolment !== null,
        settings: settings !== null,
        refused: (delivery?.refused ?? null) !== null,
      }),
      collector: enrolment?.collector ?? null,
      enrolledBy: enrolment?.source ?? null,
      site: enrolment?.site ?? '',
      client: client?.id ?? null,
      waiting,
      // The key stays in the background.
      delivery: { ...FRESH_DELIVERY, ...delivery, refused: delivery?.refused ? 'refused' : null },
      lost: lost ?? {},
      folded: (names?.foldedHosts ?? 0) + (names?.foldedTemplates ?? 0),
      times: compareTimes(settings?.targets ?? [], medians, settings?.typical ?? []),
      probes: probeOutcomes(settings?.probes ?? null, probes),
    };
  }

  /** Entries that never became samples, by reason. */
  async count(lost: Lost): Promise<void> {
    const reasons = Object.entries(lost).filter(([, count]) => count > 0);
    if (reasons.length === 0) return;
    await this.#deps.state.change('lost', (before) => {
      const counted = { ...before };
      for (const [reason, count] of reasons) counted[reason] = (counted[reason] ?? 0) + count;
      return counted;
    });
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError';
}
