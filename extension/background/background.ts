/**
 * The background of both browsers: a service worker in Chromium, an event page in Firefox. It is stopped after half a minute
 * without events, so all listeners are added synchronously, and memory only caches what is on disk.
 */
import { ENGINE } from '../build-constants.ts';
import { type Message, PENDING_PREFIX } from '../messages.ts';
import { notePermissions } from '../network-access.ts';
import { unpackGroup } from '../packed-group.ts';
import { platform, type Runtime } from '../platform.ts';
import { startProbes } from '../probe/start-probes.ts';
import { clientId } from './client-id.ts';
import { agent, enrolment, log, pause, queue, sent, state, storage, tls } from './composition.ts';
import { environment } from './environment.ts';
import { observeRequests } from './observe-requests.ts';
import { type PageRequest, PageRequests } from './page-requests.ts';
import { isPendingKey } from './pending-groups.ts';
import { reportFailure, Scheduler } from './scheduler.ts';

const scheduler = new Scheduler({ agent, pause, storage, random: environment.random });
const pages = new PageRequests({
  agent,
  state,
  pause,
  sent,
  enrolment,
  environment,
  pauseChanged: () => scheduler.pauseChanged(),
});

startProbes(
  {
    ...environment,
    state,
    queue,
    settings: () => agent.settings(),
    browser: async () => ({ client: await clientId(state, environment), site: (await enrolment())?.site ?? '' }),
    deliver: () => agent.deliver(),
  },
  reportFailure,
);

observeRequests(ENGINE, log, {
  failedNavigation: (failure) => reportFailure(agent.takeFailure(failure).then(() => scheduler.scheduleDelivery())),
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
        scheduler.scheduleDelivery();
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
  if (area === 'managed' || changes.enrolment) scheduler.enrolmentChanged();
  else if (area === 'local' && Object.keys(changes).some((key) => isPendingKey(key) && changes[key]?.newValue)) {
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

/** Content scripts may only send entries: a page may have compromised its content script. */
function isOwnPage({ url }: Runtime.MessageSender): boolean {
  return url?.startsWith(platform.runtime.getURL('')) ?? false;
}

async function answerPage(request: PageRequest): Promise<unknown> {
  const answer = await pages.answer(request);
  await scheduler.badge();
  return answer;
}
