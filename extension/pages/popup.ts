import type { PauseLength } from '../background/pause.ts';
import type { SentRow } from '../background/sent-log.ts';
import type { Status } from '../background/status.ts';
import { platform } from '../platform.ts';
import { appItems } from './app-list.ts';
import { ask } from './ask.ts';
import { element, make, makeButton } from './element.ts';
import { probeText } from './probe-text.ts';
import { showRecorder } from './record-journey.ts';
import { askForState, problemText, showError, showState } from './show-state.ts';
import { count, duration, knownText, moment, text, writeTexts } from './text.ts';

const PAUSES: readonly PauseLength[] = ['hour', 'restart', 'forever'];

let shown: Status | null = null;

writeTexts();
askForState().then(show, showError);
platform.storage.session.onChanged.addListener(() => shown && showRecorder(shown).catch(showError));
element('sent-details').addEventListener('toggle', () => {
  if ((element('sent-details') as HTMLDetailsElement).open) showSent().catch(showError);
});

function show(status: Status): void {
  shown = status;
  showState(status);
  showRecorder(status).catch(showError);
  fill('pause', pauseButtons(status));
  fill('apps', appItems(status, { detailed: false, changed: show, failed: showError }));
  element('times-note').hidden = status.times.length === 0;
  element('facts').replaceChildren(...pairs(factsOf(status)));
  fill('probes', pairs(status.probes.map((probe) => [probe.id, probeText(probe)])));
}

/** Buttons to pause or resume; none where nothing can be measured anyway. */
function pauseButtons(status: Status): HTMLElement[] {
  if (status.state === 'not_enrolled' || status.paused?.until === 'turn') return [];
  const press = (length: PauseLength | null) => async () => pauseChanged(await ask({ kind: 'pause', length }));
  if (status.paused) return [makeButton(text('resume'), '', press(null), showError)];
  const offered = PAUSES.filter((length) => length !== 'forever' || status.mayPauseForGood);
  return offered.map((length) => makeButton(text(`pause_${length}`), 'plain', press(length), showError));
}

/** The pressed button is gone, so the focus moves to its counterpart. */
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

async function showSent(): Promise<void> {
  const rows = await ask({ kind: 'sent' });
  const nameOf = (id: string) => shown?.targets.find((target) => target.id === id)?.name ?? id;
  element('sent-note').textContent = rows.length > 0 ? text('sent_note', count(rows.length)) : text('sent_nothing');
  element('sent').replaceChildren(...sentItems(rows, nameOf));
}

function pairs(facts: readonly (readonly [string, string])[]): HTMLElement[] {
  return facts.flatMap(([name, value]) => [make('dt', '', name), make('dd', '', value)]);
}

/** What the collector received from this browser, one line per request. */
function sentItems(rows: readonly SentRow[], appName: (id: string) => string): HTMLElement[] {
  return rows.map((row) => {
    const when = make('time', 'quiet', moment(row.at));
    when.setAttribute('datetime', new Date(row.at).toISOString());
    const address = make('span', 'address', row.host, make('span', 'path', row.template));
    const facts = [
      appName(row.target),
      row.probe ? text('sent_probe') : text(`type_${row.type}`),
      text(`connection_${row.connection}`),
      ...(row.status === null || row.status === 200 ? [] : [count(row.status)]),
      row.ttlb === null ? text('sent_no_time') : duration(row.ttlb),
    ];
    return make('li', 'sent', make('div', 'sent-head', address, when), make('div', 'quiet', facts.join(' · ')));
  });
}
