import type { SequenceRequest } from '../../shared/probes/sequence-request.ts';
import { ENGINE } from '../build-constants.ts';
import { cleanUp } from '../journey/clean-up.ts';
import { RobotWindow } from '../journey/robot-window.ts';
import { platform } from '../platform.ts';
import { browserEdges } from './browser-edges.ts';
import { closeOffscreen, isOnPower } from './offscreen.ts';
import { removeProbeRules } from './probe-rules.ts';
import { ProbeSchedule, type ProbeScheduleDeps } from './probe-schedule.ts';
import { runSequence } from './run-sequence.ts';

/** Without keyboard and mouse input for this long the machine is idle, seconds. */
const IDLE_SECONDS = 60;

/**
 * Adds the listeners that probes need, synchronously at start-up, and returns their schedule, which follows new settings by
 * `sync`.
 *
 * @param report receives work that is not awaited
 */
export function startProbes(
  deps: Omit<ProbeScheduleDeps, 'ready' | 'alarms' | 'edges' | 'isIdle' | 'isOnPower' | 'robot'>,
  report: (work: Promise<unknown>) => void,
): Pick<ProbeSchedule, 'run' | 'sync'> & { readonly robot: RobotWindow } {
  const { alarms, idle, runtime } = platform;
  // A background that was stopped midway has left its rules and its document behind.
  const cleared = Promise.all([removeProbeRules(), closeOffscreen()]);
  report(cleared);
  const robot = new RobotWindow(deps.state);
  const schedule = new ProbeSchedule({
    ...deps,
    ready: cleared,
    alarms,
    edges: () => browserEdges(ENGINE),
    isIdle: async () => (await idle.queryState(IDLE_SECONDS)) !== 'active',
    isOnPower,
    robot,
  });
  report(cleared.then(cleanUp).then(() => schedule.recover()));
  alarms.onAlarm.addListener(({ name }) => report(schedule.alarm(name)));
  runtime.onStartup.addListener(() => report(schedule.sync()));
  runtime.onInstalled.addListener(() => report(cleared.then(runPackagedProbe)));
  return { sync: () => schedule.sync(), run: (id) => schedule.run(id), robot };
}

/** What `lastbyte probe` puts into the package it makes for a single run. */
interface PackagedProbe {
  /** Where to post the result: the command itself, on loopback. */
  readonly answerTo: string;
  readonly request: SequenceRequest;
}

const FILE = 'probe-now.json';

/**
 * Runs the package's probe sequence, if it has one, and returns the result. Only the builder of the package can trigger
 * it: no page and no message can.
 */
async function runPackagedProbe(): Promise<void> {
  const packaged = await fetch(platform.runtime.getURL(FILE)).then(
    (response) => response.json() as Promise<PackagedProbe>,
    () => null, // no probe in this package
  );
  if (packaged === null) return;
  const { answerTo, request } = packaged;
  let round = 0;
  const postRound = async () => {
    await post(answerTo, { round: round++ });
    return true;
  };
  const result = await runSequence(request, browserEdges(ENGINE), postRound).catch((error) => ({
    error: String(error),
  }));
  await post(answerTo, result);
}

async function post(url: string, result: unknown): Promise<void> {
  await fetch(url, { method: 'POST', body: JSON.stringify(result), credentials: 'omit' });
}
