import type { JourneyResult } from '../../analysis/probes/journey-results.ts';
import type { ProbePath } from '../../analysis/probes/probe-results.ts';
import type { ProbesDocument } from '../../questions/probes.ts';
import { useAnnouncement, usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import type { View } from '../app/view.ts';
import { DataTable } from '../components/data-table.tsx';
import { MethodFooter } from '../components/method-footer.tsx';
import { Panel } from '../components/panel.tsx';
import { RouteLink } from '../components/route-link.tsx';
import { Empty, State } from '../components/states.tsx';
import { ViewHead } from '../components/view-head.tsx';
import { viewQuestion } from '../model/summary-queries.ts';
import { type AppNames, valueLabel, withAppNames } from '../model/value-label.ts';
import { describeRange } from '../state/time-range.ts';
import { toView } from '../state/view-state.ts';
import { formatMoment } from '../text/moment.ts';
import { PROBES } from '../text/probes.ts';
import { AvailabilityChart } from './availability-chart.tsx';
import { Paths } from './paths.tsx';
import { failuresTable, type PlaceName, placeNames, withOutages, withProbeNames } from './probe-tables.ts';
import { countedReasons, failureWords } from './run-reasons.ts';
import { StepsTable } from './steps-table.tsx';

/** Results of probes: the cost of HTTPS per path, and availability. */
export const probes: View = {
  title: () => PROBES.title,
  View() {
    return (
      <Panel<ProbesDocument> name={PROBES.title} query={viewQuestion(usePage(), 'probes')}>
        {(document) => <Probes document={document} />}
      </Panel>
    );
  },
};

function Probes({ document }: { readonly document: ProbesDocument }) {
  const asked = document.paths.filter(({ scenarios }) =>
    scenarios.some(({ runs, unavailable }) => runs > 0 || Object.keys(unavailable).length > 0),
  );
  if (asked.length > 0 || document.availability.rows.length > 0 || document.journeys.length > 0) {
    return <Results document={document} paths={asked} />;
  }
  if (document.method.folded != null) return <Empty method={document.method} />;
  return <NoProbes skipped={document.turns.skipped} off={document.off} />;
}

/** Availability first, then the cost of HTTPS per path, then steps and failures. */
function Results({ document, paths }: { readonly document: ProbesDocument; readonly paths: readonly ProbePath[] }) {
  const { availability, journeys, method, view, turns, off } = document;
  const names = useAppNames();
  const down = downJourneys(journeys, names);
  const place = placeNames([...paths, ...availability.rows], names);
  const tables = view.tables.map((table) => withProbeNames(withAppNames(table, names)));
  const [steps, trend, failures, ...ofJourneys] = tables;
  const tableWith = (name: string) => ofJourneys.find(({ columns }) => columns.some((column) => column.name === name));
  const [loads, byJourney] = [tableWith('sum'), tableWith('light')];
  const measured = paths.filter(({ scenarios }) => scenarios.some(({ runs }) => runs > 0));
  useAnnouncement(PROBES.probed(measured.length));
  return (
    <>
      <ViewHead title={PROBES.title} lead={down[0]?.sentence ?? headline(paths, place)}>
        {down.map(({ sentence, evidence }, index) => (
          <>
            {index === 0 ? null : <p class="because">{sentence}</p>}
            {evidence === '' ? null : <p class="because">{evidence}</p>}
          </>
        ))}
        <p class="because">{runsText(turns)}</p>
        {off.length === 0 ? null : <p class="because">{PROBES.runs.off(off.join(', '))}</p>}
      </ViewHead>
      {byJourney === undefined ? null : <DataTable name="journeys" table={withOutages(byJourney, journeys)} sortable />}
      {availability.rows.length === 0 ? null : (
        <AvailabilityChart availability={availability} place={place} method={method} />
      )}
      <Paths paths={paths} place={place} />
      {steps === undefined || steps.rows.length === 0 ? null : (
        <StepsTable steps={steps} trend={trend} starts={availability.steps} />
      )}
      {loads === undefined ? null : <DataTable name="loads" table={loads} sortable />}
      {failures === undefined || failures.rows.length === 0 ? null : (
        <DataTable name="failures" table={failuresTable(failures)} sortable />
      )}
      <MethodFooter method={method} />
    </>
  );
}

/** What is down, since the first run that failed, at which sites and why there; what has been down longest comes first. */
function downJourneys(journeys: readonly JourneyResult[], names: AppNames) {
  return journeys.flatMap(({ journey, target, site, broken }, index) => {
    const own = journeys.filter((one) => one.broken !== null && one.journey === journey && one.target === target);
    if (broken === null || own[0] !== journeys[index]) return [];
    const app = valueLabel('target', target, names);
    const sites = own.map((one) => one.site ?? PROBES.noSite).join(', ');
    const place = own.length === 1 ? PROBES.place(app, site) : `${app}: ${sites}`;
    const { why, evidence } = failureWords(broken);
    const since = formatMoment(Date.parse(broken.since));
    return { sentence: PROBES.probeReasons.failed(`${journey} (${place})`, why, since, true), evidence };
  });
}

/** The sentence of the costliest path; the others follow below. */
function headline(paths: readonly ProbePath[], place: PlaceName): string {
  const cost = ({ ratios }: ProbePath) => ratios.find(({ scenario }) => scenario === 'https-new')?.median?.ms ?? -1;
  const most = [...paths].sort((one, other) => cost(other) - cost(one))[0];
  if (most === undefined) return PROBES.noSequence;
  return paths.length === 1 ? most.sentence : PROBES.headline(place(most), most.sentence);
}

function runsText({ run, skipped }: ProbesDocument['turns']): string {
  const left = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  const text = PROBES.runs;
  if (run === 0 && left === 0) return text.unreported;
  return text.skipped(run === null ? text.tooFew : text.reported(run), left, countedReasons(skipped));
}

/** There are no results: how to get some. */
function NoProbes({ skipped, off }: Pick<ProbesDocument['turns'], 'skipped'> & Pick<ProbesDocument, 'off'>) {
  const { state, role, navigate } = usePage();
  useAnnouncement(PROBES.none.announced);
  const reasons = countedReasons(skipped);
  return (
    <State title={PROBES.none.title} level={1}>
      <p>{PROBES.none.lead(describeRange(state.range))}</p>
      {reasons === '' ? null : <p>{PROBES.none.skipped(reasons)}</p>}
      {off.length === 0 ? null : <p>{PROBES.runs.off(off.join(', '))}</p>}
      <ol class="steps">
        <li>
          {PROBES.none.now} <code>lastbyte probe https://erp.example.com/logo.png</code>
        </li>
        <li>{PROBES.none.schedule}</li>
      </ol>
      <p class="actions">
        {role === 'admin' ? (
          <RouteLink class="button primary" to={toView(state, 'settings', { part: 'probes' })}>
            {PROBES.none.add}
          </RouteLink>
        ) : null}
        <button type="button" onClick={() => navigate({ ...state, range: { preset: '30d' } })}>
          {PROBES.none.longer}
        </button>
      </p>
    </State>
  );
}
