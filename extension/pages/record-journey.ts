import { assembleRecording } from '../../shared/journeys/assemble-recording.ts';
import { nameStep } from '../../shared/journeys/name-step.ts';
import type { Recording } from '../../shared/journeys/recording.ts';
import { redactAddress } from '../../shared/journeys/run-outcome.ts';
import { namesOfVariables } from '../../shared/journeys/variables.ts';
import { findTarget, hostPermission } from '../../shared/redact/match-pattern.ts';
import { MAX_JOURNEY_STEPS } from '../../shared/vocabulary/wire-limits.ts';
import { changeRecording, type RecordingState } from '../background/keep-recorded.ts';
import type { Status, TargetStatus } from '../background/status.ts';
import { platform } from '../platform.ts';
import { element, make, makeButton } from './element.ts';
import { showError } from './show-state.ts';
import { count, text } from './text.ts';

const FILE = 'recorder.js';
const { session } = platform.storage;

/** Start, then stop, then what was recorded. Hidden where recording was not allowed. */
export async function showRecorder(status: Status): Promise<void> {
  const state = (await session.get('recording')).recording as RecordingState | undefined;
  const parts = state === undefined ? await before(status) : state.isOn ? during(state) : after(state, status);
  element('record').replaceChildren(...parts);
  element('record-section').hidden = status.declared.recorder === null && state === undefined;
}

async function before({ targets }: Status): Promise<HTMLElement[]> {
  const [tab] = await platform.tabs.query({ active: true, currentWindow: true });
  const target = findTarget(tab?.url ?? '', targets);
  if (tab?.id === undefined || target === null) return [make('p', 'quiet', text('record_elsewhere'))];
  const { id } = tab;
  const start = makeButton(text('record_start'), '', () => begin(id, target, targets), showError);
  return [make('p', 'quiet', text('record_hint')), start];
}

async function begin(tab: number, target: TargetStatus, targets: readonly TargetStatus[]): Promise<void> {
  const started: RecordingState = { tab, target: target.id, isOn: true, lastPage: null, recorded: [] };
  await session.set({ recording: started });
  await follow([...new Set(targets.flatMap(({ match }) => match.map(hostPermission)))]);
  await platform.scripting.executeScript({ target: { tabId: tab, allFrames: true }, files: [FILE] });
}

/** Into each page that follows, also without a background. Recorders in other tabs are told that they are not meant. */
async function follow(hosts: readonly string[]): Promise<void> {
  const ids = [FILE];
  const [registered] = await platform.scripting.getRegisteredContentScripts({ ids });
  if (registered) await platform.scripting.unregisterContentScripts({ ids });
  const isGranted = await Promise.all(hosts.map((host) => platform.permissions.contains({ origins: [host] })));
  const matches = hosts.filter((_, index) => isGranted[index]);
  if (matches.length === 0) return;
  const frames = { allFrames: true, matchOriginAsFallback: true };
  await platform.scripting.registerContentScripts([
    { id: FILE, matches, js: [FILE], runAt: 'document_start', persistAcrossSessions: false, ...frames },
  ]);
}

function during(state: RecordingState): HTMLElement[] {
  const said = make('p', '', text('record_running', count(assembleRecording(state.recorded, null, '').steps.length)));
  said.setAttribute('role', 'status');
  return [said, makeButton(text('record_stop'), '', () => end(state.tab), showError)];
}

async function end(tabId: number): Promise<void> {
  const url = await platform.tabs.get(tabId).then(
    (tab) => tab.url,
    () => undefined, // closed
  );
  const lastPage = redactAddress(url ?? '') || null;
  await changeRecording(async (recording) => {
    if (recording) await session.set({ recording: { ...recording, isOn: false, lastPage } });
  });
  await follow([]);
  if (url !== undefined) await platform.action.setBadgeText({ tabId, text: null });
}

function after({ recorded, lastPage, target }: RecordingState, { targets }: Status): HTMLElement[] {
  const all = assembleRecording(recorded, lastPage, '');
  const app = targets.find(({ id }) => id === target)?.name ?? target;
  const title = make('input', '') as HTMLInputElement;
  title.value = app;
  title.maxLength = 100;
  const boxes = all.steps.map(() => Object.assign(make('input', ''), { type: 'checkbox', checked: true }));
  const rows = all.steps.map((step, index) => make('label', '', boxes[index] as Node, nameStep(step)));
  const kept = (): Recording => ({
    title: title.value.trim() || app,
    steps: all.steps.filter((_, index) => boxes[index]?.checked),
    lastbyte: { target },
  });
  const variables = namesOfVariables(all);
  const notes = [
    text('record_note'),
    ...(variables.length > 0 ? [text('record_variables', variables.join(', '))] : []),
    ...(all.steps.length > MAX_JOURNEY_STEPS ? [text('record_long', MAX_JOURNEY_STEPS)] : []),
  ];
  return [
    make('label', '', text('record_name'), title),
    make('ol', 'steps', ...rows.map((row) => make('li', '', row))),
    ...notes.map((each) => make('p', 'quiet note', each)),
    make(
      'div',
      'buttons',
      makeButton(text('record_download'), '', async () => download(kept()), showError),
      makeButton(text('record_discard'), 'plain', () => session.remove('recording'), showError),
    ),
  ];
}

function download(recording: Recording): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${JSON.stringify(recording, null, 2)}\n`], { type: 'application/json' }));
  link.download = `${recording.title.replace(/[^\p{L}\p{N}]+/gu, '-')}.json`;
  link.click();
}
