import { isFewBrowsers } from '../../../shared/vocabulary/dimensions.ts';
import type { EvidenceDocument, TimingAllowance } from '../../questions/evidence.ts';
import { useAnnouncement, usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import { Box } from '../components/box.tsx';
import { Chart } from '../components/chart.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { DataTable } from '../components/data-table.tsx';
import { MethodFooter } from '../components/method-footer.tsx';
import { RouteLink } from '../components/route-link.tsx';
import { ViewHead } from '../components/view-head.tsx';
import { ofWhat } from '../model/of-what.ts';
import { valueLabel } from '../model/value-label.ts';
import { toView } from '../state/view-state.ts';
import { EVIDENCE } from '../text/evidence.ts';
import { t } from '../text/t.ts';
import { Browsers } from './browsers.tsx';
import { CLASS_COLOURS, ClassesPicture } from './classes-picture.tsx';
import {
  cacheTable,
  cellsTable,
  classesTable,
  evidenceClasses,
  evidenceSentence,
  unknownTable,
} from './evidence-totals.ts';
import { versionsTable } from './fleet-tables.ts';

const { classes: text, timing } = EVIDENCE;

/** The samples by class of evidence, and what follows from it. */
export function Classes({ document }: { readonly document: EvidenceDocument }) {
  const { state } = usePage();
  const { cells, method, cache, fleet, missing } = document;
  const classes = evidenceClasses(cells);
  const unknown = unknownTable(cells);
  useAnnouncement(EVIDENCE.announced(classes.length));
  return (
    <>
      <ViewHead title={EVIDENCE.title} lead={evidenceSentence(classes)} />
      <h2 class="spoken">{text.heading}</h2>
      <Chart
        title={text.title}
        note={text.note}
        words={classes.map(({ label, share }) => text.shareOf(label, share)).join(', ')}
        legend={classes.map(({ name, label, count, share }) => ({
          label: text.countOf(label, count, share),
          colour: CLASS_COLOURS[name] ?? '--connection-unknown',
        }))}
        table={classesTable(classes)}
        of={ofWhat([EVIDENCE.title], method)}
        picture={(width) => <ClassesPicture classes={classes} width={width} />}
      />
      <AskForTiming hosts={document.askForTiming} />
      <DataTable
        name="evidence"
        table={cellsTable(cells)}
        sortable
        cell={({ name }, row) => {
          if (name !== 'host' || typeof row.host !== 'string') return undefined;
          if (isFewBrowsers(row)) return t.app.fewBrowsers;
          return (
            <RouteLink to={toView(state, 'host', { page: row.host })} title={row.host}>
              {valueLabel('host', row.host, null)}
            </RouteLink>
          );
        }}
      />
      {unknown.rows.length === 0 ? null : <DataTable name="unknown" table={unknown} sortable />}
      {cache === null ? null : <DataTable name="cache" table={cacheTable(cache)} sortable />}
      {fleet === null ? null : <DataTable name="versions" table={versionsTable(fleet)} sortable />}
      {missing === null ? null : <p class="notice">{EVIDENCE.missing(missing)}</p>}
      <Browsers />
      <MethodFooter method={method} />
    </>
  );
}

/** Hosts whose owners can open their times, with the header to add. */
function AskForTiming({ hosts }: { readonly hosts: readonly TimingAllowance[] }) {
  const names = useAppNames();
  if (hosts.length === 0) {
    return (
      <Box title={timing.title}>
        <p class="quiet">{timing.none}</p>
      </Box>
    );
  }
  return (
    <Box title={timing.title} intro={timing.intro}>
      <ul class="ask">
        {hosts.map(({ host, target, opaque, samples, headers }) => (
          <li key={`${host} ${target}`} class="ask-host">
            <p class="ask-name">
              <strong>{host}</strong>
              <span class="quiet small">{timing.hidden(valueLabel('target', target, names), opaque, samples)}</span>
            </p>
            {headers.map((header) => (
              <p key={header} class="ask-header">
                <code>{header}</code>
                <CopyButton aria-label={timing.copy(host, header)} text={() => header} />
              </p>
            ))}
          </li>
        ))}
      </ul>
      {hosts.some(({ headers }) => headers.length > 1) ? <p class="quiet small">{timing.several}</p> : null}
    </Box>
  );
}
