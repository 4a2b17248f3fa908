import { withoutPort } from '../../shared/redact/match-pattern.ts';
import type { Status } from '../background/status.ts';
import type { ConnectionResult } from '../background/test-connection.ts';
import { platform } from '../platform.ts';
import { appItems } from './app-list.ts';
import { ask } from './ask.ts';
import { element, make, makeButton } from './element.ts';
import { packagedCollector } from './packaged-collector.ts';
import { probeText } from './probe-text.ts';
import { askForState, showError, showState } from './show-state.ts';
import { text, writeTexts } from './text.ts';

/** Worth saving: the collector is there, or may be once the network is. */
const KEPT: ReadonlySet<ConnectionResult['result']> = new Set(['ok', 'unreachable', 'busy']);

const ROLES = ['robot', 'recorder'] as const;

let shown: Status | null = null;

writeTexts();
element('version').textContent = platform.runtime.getManifest().version;
askForState().then(show, showError);
for (const role of ROLES) {
  input(role).addEventListener('change', () => {
    ask({ kind: 'declare', role, on: input(role).checked }).then(show, showError);
  });
}
input('collector').addEventListener('input', warnOfPlainHttp);
element('enrolment').addEventListener('submit', (event) => {
  event.preventDefault();
  if (button('save').disabled) return;
  button('save').disabled = true;
  enrol()
    .catch(showError)
    .finally(() => {
      button('save').disabled = false;
    });
});
button('reset').addEventListener('click', () => {
  ask({ kind: 'reset' }).then((status) => {
    show(status);
    element('reset-result').textContent = text('client_was_reset');
  }, showError);
});

/** Tries the collector first: settings that certainly cannot work must not replace working ones. */
async function enrol(): Promise<void> {
  const [collector, key, site] = [fieldValue('collector'), fieldValue('key'), fieldValue('site')];
  if (key === '' && !keyIsKept(collector)) return showResult('result_key_missing');
  // Inside the click and before anything is awaited, or the browser refuses to ask.
  let granted: boolean;
  try {
    granted = await platform.permissions.request({ origins: [withoutPort(`${new URL(collector).origin}/*`)] });
  } catch (error) {
    return showResult('result_not_asked', error instanceof Error ? error.message : String(error));
  }
  if (!granted) return showResult('result_denied');
  element('result').textContent = text('result_asking');
  const tried = await ask({ kind: 'test-connection', collector, key });
  if (KEPT.has(tried.result)) show(await ask({ kind: 'enrol', collector, key, site }));
  if (tried.result === 'ok') {
    showResult(tried.targets === 1 ? 'result_ok_one' : 'result_ok', tried.targets);
    if (tried.targets > 0) element('result').append(` ${text('result_next')}`);
  } else showResult(`result_${tried.result}`);
}

function showResult(name: string, ...values: (string | number)[]): void {
  const result = element('result');
  result.dataset.look = name.startsWith('result_ok') ? 'good' : 'attention';
  result.textContent = text(name, ...values);
}

function show(status: Status): void {
  shown = status;
  showState(status);
  // The usual hint sends users to this page.
  if (status.state === 'not_enrolled') element('hint').textContent = text('hint_not_enrolled_here');
  showEnrolment(status);
  element('targets').replaceChildren(...appItems(status, { detailed: true, changed: show, failed: showError }));
  element('no-targets').hidden = status.targets.length > 0;
  // Without a collector the apps are not known yet.
  element('targets-section').hidden = status.state === 'not_enrolled';
  element('unlock-note').hidden = status.targets.every(({ unlockTimings }) => unlockTimings.length === 0);
  showRobot(status);
  for (const role of ROLES) {
    const by = status.declared[role];
    Object.assign(input(role), { checked: by !== null, disabled: by === 'policy' });
  }
  element('client').textContent = status.client ?? text('client_none');
}

function showRobot({ declared: { robot }, probes }: Status): void {
  element('robot-by-policy').hidden = robot !== 'policy';
  const journeys = robot === null ? [] : probes.filter(({ isJourney }) => isJourney);
  const run = (id: string) => async () => show(await ask({ kind: 'robot-run', id }));
  const items = journeys.map((journey) =>
    make(
      'li',
      '',
      `${journey.id}: ${probeText(journey)} `,
      makeButton(text('robot_run'), 'plain', run(journey.id), showError),
    ),
  );
  element('journeys').replaceChildren(...items);
}

function showEnrolment({ collector, enrolledBy, site }: Status): void {
  const byPolicy = enrolledBy === 'policy';
  if (input('collector').value === '') {
    input('collector').value = collector ?? packagedCollector(platform.runtime.getManifest()) ?? '';
  }
  if (input('site').value === '') input('site').value = site;
  // Read-only rather than disabled: it can still be read, copied and reached by keyboard.
  for (const id of ['collector', 'key', 'site'] as const) input(id).readOnly = byPolicy;
  input('key').placeholder = enrolledBy ? '••••••••••••' : 'lb_ingest_…';
  element('key-note').hidden = enrolledBy === null || byPolicy;
  button('save').hidden = byPolicy;
  element('enrolled-by').textContent = text(`enrolled_by_${enrolledBy ?? 'nobody'}`);
  warnOfPlainHttp();
}

/** The key in use is only ever sent to the collector it was issued by. */
function keyIsKept(collector: string): boolean {
  return shown?.enrolledBy !== null && shown?.collector === collector.replace(/\/+$/, '');
}

function warnOfPlainHttp(): void {
  element('collector-warning').hidden = !isPlainHttpToOthers(fieldValue('collector'));
}

/** Key and samples would cross the network in plain text; loopback doesn't leave this machine. */
function isPlainHttpToOthers(address: string): boolean {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return false; // not fully typed yet
  }
  return url.protocol === 'http:' && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

function fieldValue(id: 'collector' | 'key' | 'site'): string {
  return input(id).value.trim();
}

function input(id: 'collector' | 'key' | 'site' | 'robot' | 'recorder'): HTMLInputElement {
  return element(id) as HTMLInputElement;
}

function button(id: 'save' | 'reset'): HTMLButtonElement {
  return element(id) as HTMLButtonElement;
}
