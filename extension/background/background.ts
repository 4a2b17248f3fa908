/**
 * The background of both browsers: service worker in Chromium, event page in Firefox. It is stopped after half a minute
 * without events, so every listener is added in the first turn, and memory is only a cache of what is on disk.
 */
import { ENGINE } from '../build-constants.ts';
import { type EntryGroup, type Message, PENDING_PREFIX } from '../messages.ts';
import { unpackGroup } from '../packed-group.ts';
import { platform, type Runtime } from '../platform.ts';
import { startProbes } from '../probe/start-probes.ts';
import { Agent } from './agent.ts';
import { showBadge } from './badge.ts';
import { browserVersion } from './browser-version.ts';
import { registerCapture } from './capture-registration.ts';
import { clientId } from './client-id.ts';
import { Delivery } from './delivery.ts';
import { CLOCK_STEPS, EntryIntake } from './entry-intake.ts';
import { IndexedDbQueue } from './indexed-db-queue.ts';
import { StateStore } from './local-state.ts';
import { managedPolicy } from './managed-policy.ts';
import { migrateState } from './migrate-state.ts';
import { observeRequests } from './observe-requests.ts';
import { type PageRequest, PageRequests } from './page-requests.ts';
import { PauseSwitch } from './pause.ts';
import { drainPending, isPendingKey } from './pending-groups.ts';
import { readEnrolment } from './read-enrolment.ts';
import { RequestLog } from './request-log.ts';
import { SentLog } from './sent-log.ts';
import { SettingsPoll } from './settings-poll.ts';
import { StatusReport } from './status-report.ts';
import type { Surroundings } from './surroundings.ts';
import { TlsWatch } from './tls-watch.ts';

/** Half a minute, the shortest period allowed, is how long a background stays awake: it would never sleep. */
const ALARM_MINUTES = { deliver: 1, settings: 5 };
/**
 * Set again at each start and taken away once nothing is missing: it brings the background back if that is stopped before
 * it has its settings. Minutes; the shortest the browsers allow.
 */
const RECOVERY_ALARM = 'recovery';
const RECOVERY_MINUTES = 0.5;
/** Ends a pause of an hour. */
const PAUSE_ALARM = 'pause';
/** Longer than the background stays awake; the alarm is earlier then. */
const LONGEST_SECONDS = 60;
/** A group on disk was most likely sent as a message too, and that one knows its frame: let it come first. */
const MESSAGE_FIRST_MS = 1_000;

const outside: Surroundings = {
  now: () => Date.now(),
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
  fetch: (url, init) => fetch(url, init),
};

// Components, each from those before it.
const storage = platform.storage.local;
const migrated = migrateState(storage);
const state = new StateStore(storage, migrated);
const queue = new IndexedDbQueue();
const log = new RequestLog();
const tls = ENGINE === 'firefox' ? new TlsWatch(platform.webRequest) : null;
const intake = new EntryIntake({
  engine: ENGINE,
  queue,
  log,
  state,
  now: outside.now,
  tlsOf: (url) => tls?.of(url) ?? null,
});
const poll = new SettingsPoll(state, outside);
const sent = new SentLog(state);
const delivery = new Delivery(
  queue,
  state,
  outside,
  new StatusReport({
    state,
    queue,
    now: outside.now,
    settings: () => agent.settings(),
    capture: () => agent.register(),
  }),
  sent,
);
const policy = managedPolicy({
  managed: platform.storage.managed,
  local: storage,
  session: platform.storage.session,
  now: outside.now,
});
const mayPauseForGood = async () => (await policy.get('allowPauseForGood')).allowPauseForGood !== false;
const pause = new PauseSwitch({ state, now: outside.now, mayPauseForGood });
const enrolment = async () => {
  await migrated;
  return readEnrolment({
    managed: policy,
    local: storage,
    packaged: () =>
      fetch(platform.runtime.getURL('enrolment.json')).then(
        (response) => response.json(),
        () => null, // the package was built without one
      ),
  });
};
const agent = new Agent({
  state,
  queue,
  poll,
  delivery,
  intake,
  pause,
  sent,
  mayPauseForGood,
  enrolment,
  register: registerCapture,
  origin: async ({ site }) => ({
    client: await clientId(state, outside),
    site,
    browser: ENGINE,
    browserVersion: browserVersion(ENGINE, navigator.userAgent),
    // With the number of the package, so that a roll-out can be followed.
    extensionVersion: platform.runtime.getManifest().version,
    clockStep: CLOCK_STEPS[ENGINE] * 1000,
  }),
  now: outside.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});

const pages = new PageRequests({ agent, state, pause, sent, enrolment, outside, pauseChanged });

// First of all, and without waiting for anything: a background may be stopped at any moment, and the first reading of
// storage.managed alone takes Chromium two to four seconds in a new profile.
platform.alarms.create(RECOVERY_ALARM, { delayInMinutes: RECOVERY_MINUTES });

startProbes(
  {
    ...outside,
    state,
    queue,
    settings: () => agent.settings(),
    browser: async () => ({ client: await clientId(state, outside), site: (await enrolment())?.site ?? '' }),
    deliver: () => agent.deliver(),
  },
  report,
);

let scheduled = false;

observeRequests(ENGINE, log, {
  failedNavigation: (failure) => report(agent.takeFailure(failure).then(scheduleDelivery)),
  sent: (url) => tls?.see(url),
});

platform.runtime.onMessage.addListener((received: unknown, sender: Runtime.MessageSender) => {
  const message = received as Message;
  switch (message.kind) {
    case 'entries': {
      const frame =
        sender.tab?.id === undefined || sender.frameId === undefined
          ? null
          : { tab: sender.tab.id, frame: sender.frameId };
      return agent.take(unpackGroup(message), frame).then(async () => {
        await storage.remove(PENDING_PREFIX + message.id);
        scheduleDelivery();
        return true;
      });
    }
    case 'status':
    case 'refresh':
    case 'pause':
    case 'sent':
    case 'test-connection':
    case 'enrol':
    case 'reset':
      return isOwnPage(sender) ? answerPage(message) : undefined;
    default:
      return undefined;
  }
});

platform.storage.onChanged.addListener((changes, area) => {
  if (area === 'managed' || changes.enrolment) report(agent.refresh().then(badge));
  else if (area === 'local' && Object.keys(changes).some((key) => isPendingKey(key) && changes[key]?.newValue)) {
    setTimeout(drain, MESSAGE_FIRST_MS);
  }
});

platform.alarms.onAlarm.addListener(({ name }) => {
  if (name === 'deliver') {
    recover();
    drain();
  }
  if (name === 'settings') report(agent.refresh().then(deliver));
  if (name === RECOVERY_ALARM) recover();
  if (name === PAUSE_ALARM) report(pauseChanged());
});

platform.permissions.onAdded.addListener(() => report(agent.register().then(badge)));
platform.permissions.onRemoved.addListener(() => report(agent.register().then(badge)));
platform.runtime.onStartup.addListener(() => report(pause.restarted().then(start)));
platform.runtime.onInstalled.addListener(start);
// Needs no permission, and what it says of the page isn't looked at: it only wakes a background without settings.
platform.tabs.onUpdated.addListener(recover);
report(keepAlarms());
recover();

function start(): void {
  report(agent.refresh().then(badge));
  drain();
}

function recover(): void {
  report(
    agent.recover().then(async (nothingMissing) => {
      if (!nothingMissing) return platform.alarms.create(RECOVERY_ALARM, { delayInMinutes: RECOVERY_MINUTES });
      platform.tabs.onUpdated.removeListener(recover); // or every page of every tab would wake the background
      await platform.alarms.clear(RECOVERY_ALARM);
    }),
  );
}

/** Browsers may lose alarms over a restart. The first one comes at a random moment: all browsers start at nine. */
async function keepAlarms(): Promise<void> {
  for (const [name, minutes] of Object.entries(ALARM_MINUTES)) {
    if (await platform.alarms.get(name)) continue;
    platform.alarms.create(name, { periodInMinutes: minutes, delayInMinutes: minutes * (1 + outside.random()) });
  }
}

function drain(): void {
  report(drainPending(storage, (group: EntryGroup) => agent.take(group, null)).then(deliver));
}

/** While the background is awake anyway it need not wait for the alarm. */
function scheduleDelivery(): void {
  if (scheduled) return;
  scheduled = true;
  report(
    agent
      .settings()
      .then(
        (settings) => settings?.delivery.intervalSeconds,
        () => undefined,
      )
      .then((seconds = LONGEST_SECONDS) => deliverAfter(1000 * seconds)),
  );
}

function deliverAfter(ms: number): void {
  scheduled = true;
  setTimeout(() => {
    scheduled = false;
    report(deliver());
  }, ms);
}

/** Content scripts have entries to tell and nothing to ask: a page may have taken over theirs. */
function isOwnPage({ url }: Runtime.MessageSender): boolean {
  return url?.startsWith(platform.runtime.getURL('')) ?? false;
}

async function answerPage(request: PageRequest): Promise<unknown> {
  const answer = await pages.answer(request);
  await badge();
  return answer;
}

/** Capture, probes and the alarm that ends a pause follow the user's wish at once. */
async function pauseChanged(): Promise<void> {
  const inForce = await pause.current();
  if (typeof inForce?.until === 'number') platform.alarms.create(PAUSE_ALARM, { when: inForce.until });
  else await platform.alarms.clear(PAUSE_ALARM);
  await agent.register();
  if (!inForce) drain();
  await badge();
}

async function badge(): Promise<void> {
  await showBadge(await agent.status());
}

async function deliver(): Promise<void> {
  const wait = await agent.deliver();
  await badge();
  if (wait !== null && !scheduled) deliverAfter(wait);
}

/** The next event tries again; the browser's own extension console shows what it was. */
function report(work: Promise<unknown>): void {
  work.catch((error: unknown) => console.error(error));
}
