import { withoutPort } from '../../shared/redact/match-pattern.ts';
import type { Status } from '../background/status.ts';
import { platform } from '../platform.ts';
import { askStatus, showStatus } from './show-status.ts';
import { element, text, writeTexts } from './text.ts';

writeTexts({
  state: 'state_loading',
  'collector-title': 'collector_title',
  'collector-label': 'collector_label',
  'key-label': 'key_label',
  'site-label': 'site_label',
  save: 'save',
  'targets-title': 'targets_title',
  'privacy-title': 'privacy_title',
  privacy: 'privacy_text',
});
element('enrolment').addEventListener('submit', (event) => {
  event.preventDefault();
  enrol().catch((error: unknown) => {
    element('hint').textContent = String(error);
  });
});
askStatus('status').then(show, (error: unknown) => {
  element('state').textContent = String(error);
});

async function enrol(): Promise<void> {
  const collector = input('collector').value.trim();
  // Inside the click and before anything is awaited, or the browser refuses to ask.
  const granted = await platform.permissions.request({ origins: [withoutPort(`${new URL(collector).origin}/*`)] });
  if (!granted) {
    element('hint').textContent = text('hint_collector_denied');
    return;
  }
  await platform.storage.local.set({
    enrolment: { collector, key: input('key').value.trim(), site: input('site').value.trim() },
  });
  show(await askStatus('refresh'));
}

function show(status: Status): void {
  showStatus(status);
  input('collector').value ||= status.collector ?? '';
  const byPolicy = status.enrolledBy === 'policy';
  for (const id of ['collector', 'key', 'site'] as const) input(id).disabled = byPolicy;
  (element('save') as HTMLButtonElement).disabled = byPolicy;
  element('enrolled-by').textContent = status.enrolledBy ? text(`enrolled_by_${status.enrolledBy}`) : '';
  if (status.poll && status.poll !== 'ok') element('hint').textContent = text('poll_failed', status.poll);
  element('targets').replaceChildren(
    ...status.targets.map(({ name, match }) => {
      const item = document.createElement('li');
      const allowed = match.every((pattern) => status.capture.granted.includes(withoutPort(pattern)));
      item.textContent = `${name}: ${match.join(', ')} (${text(allowed ? 'allowed' : 'not_allowed')})`;
      return item;
    }),
  );
}

function input(id: 'collector' | 'key' | 'site'): HTMLInputElement {
  return element(id) as HTMLInputElement;
}
