import { ENGINE } from '../build-constants.ts';
import { platform } from '../platform.ts';
import { browserEdges } from './browser-edges.ts';
import { isOnPower } from './is-on-power.ts';
import { closeOffscreen } from './offscreen.ts';
import { removeProbeRules } from './probe-rules.ts';
import { ProbeSchedule, type ProbeScheduleDeps } from './probe-schedule.ts';
import { runPackagedProbe } from './run-packaged-probe.ts';

/** Nobody at keyboard and mouse for so long is idle, seconds. */
const IDLE_SECONDS = 60;

/**
 * Adds the listeners that probes need, in the first turn of the background.
 *
 * @param report takes work whose failure nobody waits for
 */
export function startProbes(
  deps: Omit<ProbeScheduleDeps, 'ready' | 'alarms' | 'edges' | 'isIdle' | 'isOnPower'>,
  report: (work: Promise<unknown>) => void,
): void {
  const { alarms, idle, runtime, storage } = platform;
  // A background that was ended amid a run has left its rules and its document behind.
  const cleared = Promise.all([removeProbeRules(), closeOffscreen()]);
  report(cleared);
  const schedule = new ProbeSchedule({
    ...deps,
    ready: cleared,
    alarms,
    edges: () => browserEdges(ENGINE),
    isIdle: async () => (await idle.queryState(IDLE_SECONDS)) !== 'active',
    isOnPower,
  });
  alarms.onAlarm.addListener(({ name }) => report(schedule.alarm(name)));
  // New settings, or another collector's: alarms follow at once, and a running ladder asks by itself.
  storage.onChanged.addListener((changes, area) => {
    if (area === 'local' && (changes.settings || changes.poll)) report(schedule.sync());
  });
  runtime.onStartup.addListener(() => report(schedule.sync()));
  runtime.onInstalled.addListener(() => report(cleared.then(runPackagedProbe)));
}
