import type { ProbePath } from '../../analysis/probes/probe-results.ts';
import { formatCount, formatShare, plural } from '../../analysis/text/format.ts';
import type { ProbesDocument } from '../../questions/probes.ts';
import { methodNote } from '../model/method-note.ts';
import { ofWhat } from '../model/of-what.ts';
import {
  availabilityTable,
  availableShare,
  failuresTable,
  placeName,
  ratioTable,
  sequenceTable,
} from '../model/probe-tables.ts';
import { countedReasons } from '../model/probe-words.ts';
import { chartFigure } from '../render/chart-figure.ts';
import { dataTable } from '../render/data-table.ts';
import { element } from '../render/element.ts';
import { methodFooter } from '../render/method-footer.ts';
import { viewHead } from '../render/panel-box.ts';
import { emptyView } from '../render/states.ts';
import type { ViewContext } from '../render/view.ts';
import { describeRange } from '../state/time-range.ts';
import { toView } from '../state/view-state.ts';
import { drawCalendar } from './calendar-chart.ts';
import { stepsTable } from './steps-table.ts';

/** Availability first, then the cost of HTTPS per path, then steps and failures. */
export function probesContent(document: ProbesDocument, context: ViewContext): readonly Node[] {
  const { state, navigate, announce } = context;
  const { paths, availability, view, turns: runs } = document;
  const measured = paths.filter(({ scenarios }) => scenarios.some(({ runs }) => runs > 0));
  const asked = paths.filter(({ scenarios }) =>
    scenarios.some(({ runs, unavailable }) => runs > 0 || Object.keys(unavailable).length > 0),
  );
  if (asked.length === 0 && availability.rows.length === 0) {
    if (document.method.folded != null) {
      announce('Nothing to show in this view');
      const clear = () => navigate({ ...state, filters: {} });
      const longer = () => navigate({ ...state, range: { preset: '30d' } });
      return [
        emptyView({
          method: document.method,
          filtered: Object.keys(state.filters).length > 0,
          range: describeRange(state.range),
          clear,
          longer,
        }),
      ];
    }
    announce('No probes ran in this range');
    return noProbes(context, runs.skipped);
  }
  announce(`${plural(measured.length, 'path')} probed`);
  const sorted = (name: string) => ({
    sort: state.sorts[name] ?? null,
    sortBy: (sort: { column: string; descending: boolean }) =>
      navigate({ ...state, sorts: { ...state.sorts, [name]: sort } }),
  });
  const [steps, trend, failures] = view.tables;
  return [
    viewHead('Probes', headline(asked), element('p', { class: 'because' }, runsText(runs))),
    ...(availability.rows.length === 0
      ? []
      : [
          element('h2', { class: 'spoken' }, 'Availability'),
          chartFigure({
            title: 'Availability over time',
            note: `Each mark is ${stepWords(availability.stepSeconds)}; the failed part is red from the bottom.`,
            words: availability.rows.map((row) => `${placeName(row)}: ${availableShare(row.cells)}`).join('; '),
            legend: [
              { label: 'answered', colour: '--connection-cache' },
              { label: 'failed', colour: '--connection-failed' },
              { label: 'no probe', colour: '--hover' },
            ],
            table: availabilityTable(availability),
            of: ofWhat(['Probes'], document.method),
            draw: (_charts, width) => drawCalendar(availability, width),
          }),
        ]),
    ...pathSections(asked),
    ...(steps === undefined || steps.rows.length === 0
      ? []
      : [stepsTable(steps, trend, availability.steps, sorted('steps'))]),
    ...(failures === undefined || failures.rows.length === 0
      ? []
      : [dataTable({ name: 'failures', table: failuresTable(failures), ...sorted('failures') })]),
    methodFooter(methodNote(document.method)),
  ];
}

/** The sentence of the costliest path; the others follow below. */
function headline(paths: readonly ProbePath[]): string {
  const cost = ({ ratios }: ProbePath) => ratios.find(({ scenario }) => scenario === 'https-new')?.median?.ms ?? -1;
  const most = [...paths].sort((one, other) => cost(other) - cost(one))[0];
  if (most === undefined) return 'No probe sequence was measured in this range.';
  return paths.length === 1 ? most.sentence : `${placeName(most)}: ${most.sentence.replace(/^On this path /, '')}`;
}

/** Paths with a result are open; those without one yet are collapsed below, with their reasons. */
function pathSections(paths: readonly ProbePath[]): readonly HTMLElement[] {
  const known = paths.filter(({ ratios }) => ratios.some(({ median }) => median !== null));
  const open = known.length > 0 ? known : paths;
  const folded = paths.filter((path) => !open.includes(path));
  const sections = (some: readonly ProbePath[]) =>
    element(
      'div',
      { class: 'paths' },
      ...some.map((path) => pathSection(path, paths.indexOf(path), paths.length === 1)),
    );
  if (folded.length === 0) return [sections(open)];
  return [
    sections(open),
    element(
      'details',
      { class: 'panel item', 'data-keep': true },
      element(
        'summary',
        { 'data-focus': 'paths without an answer' },
        element('strong', {}, plural(folded.length, 'path')),
        ` without a known cost of HTTPS yet: ${folded.map(placeName).join(', ')}`,
      ),
      element('div', { class: 'item-body' }, sections(folded)),
    ),
  ];
}

/** @param only it is the only path, so its sentence is the headline already */
function pathSection(path: ProbePath, index: number, only: boolean): HTMLElement {
  const { target, users, sentence } = path;
  const name = placeName(path);
  const reuse =
    users.reuse === null
      ? 'No user requests were seen on this path in this range.'
      : `Users made ${plural(users.requests, 'request')} on this path. Of those over HTTPS, ${formatShare(users.reuse)} reused a connection.`;
  return element(
    'section',
    { class: 'panel path', 'aria-label': name },
    element(
      'div',
      { class: 'path-words' },
      element('h2', {}, name, element('span', { class: 'quiet small' }, ` ${target}`)),
      only ? null : element('p', { class: 'path-sentence' }, sentence),
      element('p', { class: 'quiet small' }, reuse),
    ),
    dataTable({
      name: `sequence-${index + 1}`,
      label: `Measurements, ${name}`,
      table: sequenceTable(path),
      level: 3,
      bare: true,
    }),
    dataTable({
      name: `ratios-${index + 1}`,
      label: `Cost of HTTPS, ${name}`,
      table: ratioTable(path),
      level: 3,
      bare: true,
    }),
  );
}

function runsText({ run, skipped }: ProbesDocument['turns']): string {
  const left = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  if (run === 0 && left === 0)
    return 'No browser has reported on its probe runs yet: the extensions are too old, or have not reported since.';
  const reported =
    run === null
      ? 'The number of probe runs is not shown: too few browsers'
      : `Browsers reported ${plural(run, 'probe run')}`;
  return left === 0
    ? `${reported}.`
    : `${reported}; ${formatCount(left)} more were skipped: ${countedReasons(skipped)}.`;
}

function stepWords(seconds: number): string {
  if (seconds === 3600) return 'an hour';
  return seconds === 86_400 ? 'a day (UTC)' : 'a week (UTC)';
}

function noProbes(
  { state, role, link, navigate }: ViewContext,
  skipped: Readonly<Record<string, number>>,
): HTMLElement[] {
  const longer = element('button', { type: 'button' }, 'Show 30 days');
  longer.addEventListener('click', () => navigate({ ...state, range: { preset: '30d' } }));
  const reasons = countedReasons(skipped);
  return [
    element(
      'section',
      { class: 'state' },
      element('h1', {}, 'No probes ran'),
      element('p', {}, `There are no results of probes in ${describeRange(state.range)}.`),
      reasons === '' ? null : element('p', {}, `Skipped runs: ${reasons}.`),
      element(
        'ol',
        { class: 'steps' },
        element(
          'li',
          {},
          'Now, from this machine: ',
          element('code', {}, 'lastbyte probe https://erp.example.com/logo.png'),
        ),
        element(
          'li',
          {},
          'On a schedule, from users’ browsers: add a probe in the settings. One small file is enough, and a budget limits the requests.',
        ),
      ),
      element(
        'p',
        { class: 'actions' },
        role === 'admin'
          ? element(
              'a',
              {
                class: 'button primary',
                href: link(toView(state, 'settings', { part: 'probes' })),
                'data-route': true,
              },
              'Add a probe',
            )
          : null,
        longer,
      ),
    ),
  ];
}
