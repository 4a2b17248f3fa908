import type { Status } from '../background/status.ts';
import { askStatus, showStatus } from './show-status.ts';
import { element, text, writeTexts } from './text.ts';

writeTexts({ state: 'state_loading', options: 'open_options' });
askStatus('status').then(show, (error: unknown) => {
  element('state').textContent = String(error);
});

function show(status: Status): void {
  showStatus(status);
  const { delivery } = status;
  const reasons = [delivery.dropped, delivery.rejected, status.lost].flatMap((counts) => Object.values(counts));
  const dropped = reasons.reduce((sum, count) => sum + count, 0);
  const facts: [string, string][] = [
    [text('fact_apps'), status.targets.map(({ name }) => name).join(', ') || text('none')],
    [text('fact_waiting'), String(status.waiting)],
    [text('fact_last_sent'), delivery.lastSentAt ? new Date(delivery.lastSentAt).toLocaleString() : text('never')],
    [text('fact_sent'), String(delivery.sent)],
  ];
  if (dropped > 0) facts.push([text('fact_dropped'), String(dropped)]);
  if (delivery.lastError) facts.push([text('fact_error'), delivery.lastError]);
  element('facts').replaceChildren(
    ...facts.flatMap(([name, value]) => [textElement('dt', name), textElement('dd', value)]),
  );
}

function textElement(tag: 'dt' | 'dd', content: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = content;
  return made;
}
