import type { Status } from '../background/status.ts';
import { appItems } from './app-list.ts';
import { ask } from './ask.ts';
import { element, make } from './element.ts';
import { pauseButtons } from './pause-buttons.ts';
import { sentItems } from './sent-list.ts';
import { askForState, problemText, showError, showState } from './show-state.ts';
import { count, knownText, moment, text, writeTexts } from './text.ts';

let shown: Status | null = null;

writeTexts();
askForState().then(show, showError);
element('sent-details').addEventListener('toggle', () => {
  if ((element('sent-details') as HTMLDetailsElement).open) showSent().catch(showError);
});

function show(status: Status): void {
  shown = status;
  showState(status);
  fill('pause', pauseButtons(status, pauseChanged, showError));
  fill('apps', appItems(status, { detailed: false, changed: show, failed: showError }));
  element('times-note').hidden = status.times.length === 0;
  element('facts').replaceChildren(...pairs(factsOf(status)));
  fill('probes', pairs(status.probes.map((probe) => [probe.id, probeText(probe)])));
}

/** The button that was pressed is gone: the focus goes to the one that takes it back. */
function pauseChanged(status: Status): void {
  show(status);
  element('pause').querySelector('button')?.focus();
}

/** A section without content has no heading either. */
function fill(id: string, content: readonly HTMLElement[]): void {
  element(id).replaceChildren(...content);
  element(`${id}-section`).hidden = content.length === 0;
}

function factsOf({ delivery, lost, waiting, folded }: Status): [string, string][] {
  const gone = [delivery.dropped, delivery.rejected, lost].flatMap((counts) => Object.entries(counts));
  const sum = gone.reduce((all, [, rows]) => all + rows, 0);
  const why = [...new Set(gone.map(([reason]) => knownText(`lost_${reason}`) ?? reason))].join(', ');
  return [
    [text('fact_last_sent'), delivery.lastSentAt ? moment(delivery.lastSentAt) : text('never')],
    [text('fact_waiting'), count(waiting)],
    [text('fact_sent'), count(delivery.sent)],
    ...(sum > 0 ? [[text('fact_dropped'), `${count(sum)} (${why})`] as [string, string]] : []),
    ...(folded > 0 ? [[text('fact_folded'), count(folded)] as [string, string]] : []),
    ...(delivery.lastError ? [[text('fact_error'), problemText(delivery.lastError)] as [string, string]] : []),
  ];
}

function probeText({ at, result, reason }: Status['probes'][number]): string {
  const why = reason === null ? '' : ` (${knownText(`reason_${reason}`) ?? reason})`;
  return `${text(`probe_${result}`)}${why}${at === null ? '' : `, ${moment(at)}`}`;
}

async function showSent(): Promise<void> {
  const rows = await ask({ kind: 'sent' });
  const nameOf = (id: string) => shown?.targets.find((target) => target.id === id)?.name ?? id;
  element('sent-note').textContent = rows.length > 0 ? text('sent_note', count(rows.length)) : text('sent_nothing');
  element('sent').replaceChildren(...sentItems(rows, nameOf));
}

function pairs(facts: readonly (readonly [string, string])[]): HTMLElement[] {
  return facts.flatMap(([name, value]) => [make('dt', '', name), make('dd', '', value)]);
}
