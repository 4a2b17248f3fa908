import { classifyConnection } from '../../shared/classify/connection.ts';
import { parseHttpUrl } from '../../shared/redact/http-url.ts';
import { findTarget } from '../../shared/redact/match-pattern.ts';
import { admitNames, EMPTY_NAME_REGISTRY, type NameRegistry } from '../../shared/redact/name-registry.ts';
import { makeFailedSample } from '../../shared/sample/failed-request.ts';
import { type IdleState, idleTimes, NO_ANSWERS_YET } from '../../shared/sample/idle-tracker.ts';
import { makeSample } from '../../shared/sample/make-sample.ts';
import type { Sample } from '../../shared/sample/sample.ts';
import { isExcludedByRule } from '../../shared/settings/exclusion-rules.ts';
import type { ExtensionSettings, Target } from '../../shared/settings/settings-schema.ts';
import type { EntryContext, ObservedRequest, TlsFacts } from '../../shared/timing/entry-context.ts';
import { alignFirefoxNavigation } from '../../shared/timing/firefox-navigation.ts';
import { beganAt } from '../../shared/timing/stamps.ts';
import type { TimingEntry } from '../../shared/timing/timing-entry.ts';
import { type BrowserEngine, type Connection, SCRIPT_SOURCE } from '../../shared/vocabulary/vocabulary.ts';
import { stepAt } from '../journey/robot-run.ts';
import type { EntryGroup, SeenEntry } from '../packed-group.ts';
import { boundedNames } from './bounded-names.ts';
import { LeastTcp } from './least-tcp.ts';
import type { LocalStore } from './local-state.ts';
import type { FailedNavigation } from './observe-requests.ts';
import type { EntrySpan, RequestLog } from './request-log.ts';
import type { SampleQueue } from './sample-queue.ts';

/** The timers' resolution without cross-origin isolation, ms. */
export const CLOCK_STEP_MS: Readonly<Record<BrowserEngine, number>> = { chromium: 0.1, firefox: 1 };

/** Which frame a group came from; null if it was found on disk and the frame is no longer known. */
export interface Frame {
  readonly tab: number;
  readonly frame: number;
}

/** Counts of entries that became no sample, by reason. */
export type Lost = Readonly<Record<string, number>>;

/** Reasons that don't mean a lost request of a target. */
const NO_LOSS = new Set(['not_http', 'seen_in_its_frame']);
/** A response from a cache or a worker, or none at all, keeps no connection open. Opaque ones mostly came over one. */
const OVER_NETWORK: ReadonlySet<Connection> = new Set(['new', 'reused', 'opaque', 'unknown']);

export interface IntakeDeps {
  readonly engine: BrowserEngine;
  readonly queue: SampleQueue;
  readonly log: RequestLog;
  readonly state: LocalStore;
  readonly now: () => number;
  /** Whether this machine declares its browser a robot: it has no user, and measures journeys alone. */
  readonly isRobot?: () => Promise<boolean>;
  /** TLS facts of this URL's origin; Firefox only. */
  readonly tlsOf?: (url: string) => TlsFacts | null;
}

/**
 * Turns groups of raw entries into samples and queues them. The caller passes one group at a time, since idle times and
 * names depend on earlier ones.
 *
 * A sample belongs to the target whose pattern matches the address of the *frame* that made the request, so an app counts
 * wherever it is embedded, and a foreign frame inside a target's page does not.
 */
export class EntryIntake {
  readonly #deps: IntakeDeps;
  readonly #leastTcp = new LeastTcp();

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
  }

  /**
   * Whether an entry without a response still lacks the browser's reason: page and network report to the background
   * independently, and the page may be first.
   */
  lacksFailure(group: EntryGroup, frame: Frame | null): boolean {
    return group.entries.some(({ entry }) => {
      const unanswered = entry.responseStatus === 0 && entry.responseStart === 0;
      // Other origins may just hide their responses; a failure among those has only its start and end.
      const isVisible = entry.fetchStart === 0 || parseHttpUrl(entry.name)?.origin === group.origin;
      if (!unanswered || !isVisible) return false;
      return !this.#deps.log.knows({ ...placeOf(frame, group), url: entry.name }, spanOf(entry, group));
    });
  }

  /** Resolves once the samples are on disk. Without settings nothing may be collected, so the group is dropped. */
  async take(group: EntryGroup, frame: Frame | null, settings: ExtensionSettings | null): Promise<Lost> {
    const targets = settings?.targets ?? [];
    const target = findTarget(group.page, targets);
    // Content scripts are registered without ports, so a page on another port of a target's host gets this far.
    if (!target) return {};
    const { queue, state, now } = this.#deps;
    const names = (await state.read('names')) ?? EMPTY_NAME_REGISTRY;
    const answered = (await state.read('answered')) ?? NO_ANSWERS_YET;
    const made = this.#makeSamples(group, frame, target, targets, names, answered);
    const samples = await this.#ofJourney(made.samples);
    if (!(await queue.add(group.id, samples, now()))) return {};
    if (made.names !== names) await state.write('names', boundedNames(made.names, targets));
    // On disk, since the silences that close connections are longer than the background's life.
    if (made.answered !== answered) await state.write('answered', made.answered);
    if (made.ignored > 0) {
      await state.change('ignored', (was) => ({ bad_server_time: (was?.bad_server_time ?? 0) + made.ignored }));
    }
    return group.dropped > 0 ? { ...made.lost, flood: group.dropped } : made.lost;
  }

  /**
   * A document that failed to load has no page that could report it, so this is its only sample; resolves once that is on
   * disk. It belongs to the target whose page it would have been. A frame outside all targets counts as a request of the
   * surrounding page, which has an entry.
   */
  async takeFailure(failure: FailedNavigation, settings: ExtensionSettings | null): Promise<void> {
    const target = findTarget(failure.url, settings?.targets ?? []);
    if (!target) return;
    const { queue, state, now } = this.#deps;
    const { id, templateRules = [] } = target;
    const sample = makeFailedSample(failure, { target: id, source: 'page', templateRules });
    if (!sample) return;
    const names = (await state.read('names')) ?? EMPTY_NAME_REGISTRY;
    const { registry, host, template } = admitNames(names, sample);
    // Both browsers restart their request ids at each start.
    const group = `failed-${failure.request}-${failure.endedAt}`;
    await queue.add(group, await this.#ofJourney([{ ...sample, host, template }]), now());
    if (registry !== names) await state.write('names', boundedNames(registry, settings?.targets ?? []));
  }

  /** A robot's samples belong to a step of its run. The others are of pages that nobody uses, such as the one it starts with. */
  async #ofJourney(samples: readonly Sample[]): Promise<readonly Sample[]> {
    const [isRobot, run] = [await this.#deps.isRobot?.(), await this.#deps.state.read('run')];
    if (!isRobot && run === null) return samples;
    return samples.flatMap((sample) => {
      const step = run && stepAt(run, sample.at);
      // It may have been a robot until a moment ago.
      if (run === null || step === null) return isRobot ? [] : [sample];
      return [{ ...sample, source: SCRIPT_SOURCE, journey: run.id, step, run: run.at }];
    });
  }

  #makeSamples(
    group: EntryGroup,
    frame: Frame | null,
    target: Target,
    targets: readonly Target[],
    known: NameRegistry,
    answeredBefore: IdleState,
  ): { samples: Sample[]; lost: Lost; ignored: number; names: NameRegistry; answered: IdleState } {
    const aligned = group.entries.map((seen) => alignFirefoxNavigation(seen.entry, this.#context(seen, group, frame)));
    for (const { entry, context } of aligned) this.#leastTcp.note(entry, context);
    const entries = aligned.map(({ entry, context }) => ({
      entry,
      context: { ...context, leastTcpMs: this.#leastTcp.of(entry) },
    }));
    const { idle, state: answered } = idleTimes(
      answeredBefore,
      entries.map(({ entry, context }) => ({
        origin: new URL(entry.name).origin,
        start: context.timeOrigin + beganAt(entry),
        end: context.timeOrigin + entry.responseEnd,
        overNetwork: OVER_NETWORK.has(classifyConnection(entry, context).connection),
      })),
    );
    const samples: Sample[] = [];
    const lost: Record<string, number> = {};
    let names = known;
    let ignored = 0;
    for (const [index, { entry, context }] of entries.entries()) {
      const made = makeSample(entry, context, {
        target: target.id,
        source: 'page',
        templateRules: target.templateRules ?? [],
        serverTimingMetrics: target.serverTimingMetrics ?? [],
        idleMs: idle[index] ?? null,
        frameIsObserved: findTarget(entry.name, targets) !== null,
      });
      if (made.sample) {
        const { sample } = made;
        if (made.serverTimeRefused) ignored++;
        const admitted = admitNames(names, sample);
        names = admitted.registry;
        const excluded = sample.excluded ?? (isExcludedByRule(sample, target.exclude) ? 'rule' : null);
        samples.push({ ...sample, excluded, host: admitted.host, template: admitted.template });
      } else if (!NO_LOSS.has(made.reason)) lost[made.reason] = (lost[made.reason] ?? 0) + 1;
    }
    return { samples, lost, ignored, names, answered };
  }

  #context({ entry, hidden, restored, seenAt }: SeenEntry, group: EntryGroup, frame: Frame | null): EntryContext {
    const { engine, log } = this.#deps;
    const place = { ...placeOf(frame, group), url: entry.name };
    const span = spanOf(entry, group);
    const { observed, error } = log.match(place, span);
    return {
      engine,
      timeOrigin: group.timeOrigin,
      clockStepMs: CLOCK_STEP_MS[engine],
      hidden,
      restoredFromBackForwardCache: restored,
      documentOrigin: group.origin,
      topFrame: group.top,
      seenAt,
      activationStart: group.activationStart,
      // Chromium's stamps are correct, and only its documents are watched.
      observed: engine === 'firefox' && observed ? this.#withTls(observed, entry.name) : null,
      error,
      challenged: log.wasChallenged(place, span),
    };
  }

  /** After a redirect the entry has the first address, but its connection is that of the last. */
  #withTls(observed: ObservedRequest, url: string): ObservedRequest {
    return observed.redirects ? observed : { ...observed, tls: this.#deps.tlsOf?.(url) ?? null };
  }
}

function spanOf({ startTime, responseEnd, responseStatus }: TimingEntry, { timeOrigin }: EntryGroup): EntrySpan {
  return { start: timeOrigin + startTime, end: timeOrigin + responseEnd, answered: (responseStatus ?? 0) > 0 };
}

/** While a page unloads, Chromium names a frame other than 0 as the sender of its last message. */
function placeOf(frame: Frame | null, { top }: EntryGroup): Frame | { readonly tab: null } {
  if (frame === null) return { tab: null };
  return top ? { tab: frame.tab, frame: 0 } : frame;
}
