/**
 * The background of both browsers: a service worker in Chromium, an event page in Firefox. It is stopped after half a minute
 * without events, so all listeners are added synchronously, and memory only caches what is on disk.
 */
import { ENGINE } from '../build-constants.ts';
import { type Message, PENDING_PREFIX } from '../messages.ts';
import { notePermissions } from '../network-access.ts';
import { readGroup } from '../packed-group.ts';
import { platform, type Runtime } from '../platform.ts';
import { startProbes } from '../probe/start-probes.ts';
import { clientId } from './client-id.ts';
import { agent, enrolment, isRobot, log, migrated, pause, queue, sent, state, tls } from './composition.ts';
import { environment } from './environment.ts';
import { keepRecorded } from './keep-recorded.ts';
import { observeRequests } from './observe-requests.ts';
import { type PageRequest, PageRequests } from './page-requests.ts';
import { reportFailure, Scheduler } from './scheduler.ts';
import { senderDocument } from './sender-document.ts';

/** Only what pages hand over: content scripts, and whatever has taken over a page's process, can write there. */
const handedOver = platform.storage.local;
const scheduler = new Scheduler({ agent, pause, storage: handedOver, ready: migrated, random: environment.random });
const pages = new PageRequests({
  agent,
  state,
  pause,
  sent,
  enrolment,
  environment,
  pauseChanged: () => scheduler.pauseChanged(),
});

const probes = startProbes(
  {
    ...environment,
    state,
    queue,
    settings: () => agent.settings(),
    browser: async () => ({ client: await clientId(state, environment), site: (await enrolment())?.site ?? '' }),
    deliver: () => agent.deliver(),
    isRobot,
  },
  reportFailure,
);

// New settings, or another collector's: alarms are updated now, and a running sequence checks them itself.
state.written = (name) => {
  if (name === 'poll') reportFailure(probes.sync());
};

observeRequests(ENGINE, log, {
  failedNavigation: (failure) => reportFailure(agent.takeFailure(failure).then(() => scheduler.scheduleDelivery())),
  sent: (url) => tls?.see(url),
});

platform.runtime.onMessage.addListener((received: unknown, sender: Runtime.MessageSender) => {
  const message = received as Message;
  switch (message.kind) {
    case 'entries':
      return takeEntries(message, sender);
    case 'recorded':
      return keepRecorded(message, sender);
    case 'status':
    case 'refresh':
    case 'pause':
    case 'sent':
    case 'test-connection':
    case 'enrol':
    case 'reset':
    case 'declare':
      return isOwnPage(sender) ? answerPage(message) : undefined;
    case 'robot-run':
      return isOwnPage(sender) ? probes.run(message.id).then(() => agent.status()) : undefined;
    case 'robot-order':
      return isOwnPage(sender) ? probes.robot.order(sender.tab?.id) : undefined;
    case 'robot-wanted':
      return isOwnPage(sender) ? probes.robot.isWanted() : undefined;
    case 'robot-tab':
      return isOwnPage(sender) ? probes.robot.opened(message.tab) : undefined;
    case 'robot-step':
      return isOwnPage(sender) ? probes.robot.begun(message.step, message.at) : undefined;
    case 'robot-result':
      if (isOwnPage(sender)) probes.robot.finish(message.result);
      return undefined;
    default:
      return undefined;
  }
});

platform.storage.onChanged.addListener((changes, area) => {
  if (area === 'managed') scheduler.enrolmentChanged();
  else if (area === 'local' && Object.values(changes).some(({ newValue }) => newValue !== undefined)) {
    scheduler.pendingChanged();
  }
});

platform.alarms.onAlarm.addListener(({ name }) => scheduler.alarm(name));
platform.permissions.onAdded.addListener(({ permissions = [] }) =>
  reportFailure(notePermissions(permissions).then(() => scheduler.permissionsChanged())),
);
platform.permissions.onRemoved.addListener(() => scheduler.permissionsChanged());
platform.runtime.onStartup.addListener(() => reportFailure(pause.restarted().then(() => scheduler.start())));
platform.runtime.onInstalled.addListener(() => scheduler.start());
// Needs no permission, and the page it names is ignored: it only wakes a background without settings.
platform.tabs.onUpdated.addListener(scheduler.recover);
scheduler.begin();

/** True once the entries are on disk, or are none. */
async function takeEntries(message: unknown, sender: Runtime.MessageSender): Promise<boolean> {
  const read = readGroup(message);
  if (read === null) return agent.count({ malformed: 1 }).then(() => true);
  const { tab, frameId } = sender;
  const frame = tab?.id === undefined || frameId === undefined ? null : { tab: tab.id, frame: frameId };
  await agent.count({ malformed: read.malformed });
  await agent.take({ ...read.group, ...senderDocument(sender) }, frame);
  await handedOver.remove(PENDING_PREFIX + read.group.id);
  scheduler.scheduleDelivery();
  return true;
}

/** Content scripts may only send entries: a page may have compromised its content script. */
function isOwnPage(sender: Runtime.MessageSender): boolean {
  const { url = '', origin } = sender as { readonly url?: string; readonly origin?: string };
  const own = platform.runtime.getURL('');
  return url.startsWith(own) && (origin === undefined || own === `${origin}/`);
}

async function answerPage(request: PageRequest): Promise<unknown> {
  const answer = await pages.answer(request);
  await scheduler.badge();
  return answer;
}
