/** The page of a robot's window: replays one journey in a window beside it, and tells the background how it went. */
import { replayJourney, StepBroke } from '../../shared/journeys/replay.ts';
import { hideValuesIn } from '../../shared/journeys/run-outcome.ts';
import { missingVariables, type VariableValues, withoutValue } from '../../shared/journeys/variables.ts';
import { withoutPort } from '../../shared/redact/match-pattern.ts';
import { networkAccess } from '../network-access.ts';
import { ask } from '../pages/ask.ts';
import { element } from '../pages/element.ts';
import { text, writeTexts } from '../pages/text.ts';
import { platform } from '../platform.ts';
import { openReplayTab } from './replay-tab.ts';
import { type RobotOrder, type RobotResult, shorten } from './robot-run.ts';
import { signIn } from './sign-in.ts';

/** A background that hears nothing is stopped after half a minute, ms. */
const AWAKE_MS = 20_000;

writeTexts();
document.title = text('robot_title');
obey().catch((error) => {
  console.error(error);
  element('journey').textContent = error instanceof Error ? error.message : String(error);
  // Else the run would never end.
  return ask({ kind: 'robot-result', result: null });
});

async function obey(): Promise<void> {
  const order = await ask({ kind: 'robot-order' });
  element('journey').textContent = order === null ? text('robot_idle') : order.journey.recording.title;
  if (order === null) return;
  setInterval(() => void ask({ kind: 'robot-wanted' }), AWAKE_MS);
  await ask({ kind: 'robot-result', result: await run(order) });
}

async function run({ journey, patterns }: RobotOrder): Promise<RobotResult> {
  const recording = { ...journey.recording, steps: journey.recording.steps.map(withoutValue) };
  // Straight from the policy: the background keeps a copy of that on disk, without these.
  const { variables = {}, authorization = {} } = await readPolicy();
  const values = textsIn(variables);
  if (missingVariables(recording, values).length > 0) return { skipped: 'no_variable' };
  const origins = patterns.map(withoutPort);
  const isAllowed = (await networkAccess()) === 'there' && (await platform.permissions.contains({ origins }));
  if (!isAllowed) return { skipped: 'no_permission' };
  const tab = await openReplayTab(patterns, values);
  let isWanted = true;
  try {
    await signIn(textsIn(authorization), patterns, tab.id);
    const total = recording.steps.length;
    const { steps, broke } = await replayJourney(recording, values, {
      ...tab,
      progress(step) {
        element('journey').textContent = text('robot_step', journey.name ?? recording.title, step, total);
        (element('progress') as HTMLProgressElement).value = step / total;
      },
      async perform(step, context) {
        isWanted = await ask({ kind: 'robot-wanted' });
        if (!isWanted) throw new StepBroke('page_closed');
        return tab.perform(step, context);
      },
      begun: (step, at) => void ask({ kind: 'robot-step', step, at }),
    });
    if (!isWanted) return { skipped: 'switched_off' };
    return { skipped: null, outcome: hideValuesIn({ steps, broke: broke && shorten(broke) }, values) };
  } finally {
    tab.close();
  }
}

/** Some browsers do not check what a policy has. */
function textsIn(policy: unknown): VariableValues {
  return Object.fromEntries(Object.entries(policy ?? {}).filter(([, value]) => typeof value === 'string'));
}

/** Firefox throws where there is no policy. */
function readPolicy(): Promise<Record<string, unknown>> {
  return platform.storage.managed.get(null).catch(() => ({}));
}
