import { ENGINE } from '../build-constants.ts';
import { networkAccess } from '../network-access.ts';
import { platform } from '../platform.ts';
import { Agent } from './agent.ts';
import { registerCapture } from './capture-registration.ts';
import { clientId } from './client-id.ts';
import { IndexedDbStorage } from './database.ts';
import { type DeclaredBy, declared as declaredBy, type Role } from './declared.ts';
import { Delivery } from './delivery.ts';
import { type Enrolment, packagedEnrolment, readEnrolment } from './enrolment.ts';
import { CLOCK_STEP_MS, EntryIntake } from './entry-intake.ts';
import { environment } from './environment.ts';
import { IndexedDbQueue } from './indexed-db-queue.ts';
import type { LocalState } from './local-state.ts';
import { managedPolicy } from './managed-policy.ts';
import { migrateState, onceMigrated } from './migrate-state.ts';
import { PauseSwitch } from './pause.ts';
import { RequestLog } from './request-log.ts';
import { SentLog } from './sent-log.ts';
import { SettingsPoll } from './settings-poll.ts';
import { StateStore } from './state-store.ts';
import { StatusReport } from './status-report.ts';
import { TlsWatch } from './tls-watch.ts';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The components of the background, each made from those before it, without adding listeners or sending requests. */
const database = new IndexedDbStorage();
export const migrated = migrateState(database, platform.storage.local);
const storage = onceMigrated(database, migrated);
export const state = new StateStore<LocalState>(storage);
export const queue = new IndexedDbQueue();
export const log = new RequestLog();
export const tls = ENGINE === 'firefox' ? new TlsWatch(platform.webRequest) : null;
const intake = new EntryIntake({
  engine: ENGINE,
  queue,
  log,
  state,
  now: environment.now,
  tlsOf: (url) => tls?.of(url) ?? null,
  isRobot: () => isRobot(),
});
const poll = new SettingsPoll(state, environment);
export const sent = new SentLog(state);
const statusReport = new StatusReport({
  state,
  queue,
  now: environment.now,
  settings: () => agent.settings(),
  capture: () => agent.register(),
});
const delivery = new Delivery(queue, state, environment, statusReport, sent);
const policy = managedPolicy({
  managed: platform.storage.managed,
  local: storage,
  session: platform.storage.session,
  now: environment.now,
  sleep,
});
export const isRobot = async () => (await declared('robot')) !== null;
const declared = (role: Role): Promise<DeclaredBy> => declaredBy(role, policy, storage);
const mayPauseForGood = async () => (await policy.get('allowPauseForGood')).allowPauseForGood !== false;
export const pause = new PauseSwitch({
  ...environment,
  state,
  mayPauseForGood,
  share: async () => (await policy.get('share')).share,
});

const packaged = packagedEnrolment({
  read: () => fetch(platform.runtime.getURL('enrolment.json')).then((response) => response.json()),
  sleep,
});

export function enrolment(): Promise<Enrolment | null> {
  return readEnrolment({ managed: policy, local: storage, packaged });
}

export const agent: Agent = new Agent({
  state,
  queue,
  poll,
  delivery,
  intake,
  hearsOfFailures: async () => (await networkAccess()) === 'there',
  pause,
  sent,
  mayPauseForGood,
  declared,
  enrolment,
  register: async (settings) => registerCapture(settings, await isRobot()),
  origin: async ({ site }) => ({
    client: await clientId(state, environment),
    site,
    browser: ENGINE,
    browserVersion: browserVersion(navigator.userAgent),
    // With the number of the package, so that a roll-out can be followed.
    extensionVersion: platform.runtime.getManifest().version,
    clockStep: CLOCK_STEP_MS[ENGINE] * 1000,
  }),
  now: environment.now,
  sleep,
});

/** Major version, such as `156`: finer ones would help to single out a browser. Empty if unknown. */
function browserVersion(userAgent: string): string {
  const pattern = ENGINE === 'chromium' ? /Chrom(?:e|ium)\/(\d+)/ : /Firefox\/(\d+)/;
  return pattern.exec(userAgent)?.[1] ?? '';
}
