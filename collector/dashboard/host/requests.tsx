import { useMemo } from 'preact/hooks';
import { PHASES, type Phase } from '../../../shared/vocabulary/time-names.ts';
import { fillColumns, type TableDocument } from '../../analysis/tables/table-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { SampleDocument } from '../../questions/sample-schema.ts';
import type { SamplesDocument } from '../../questions/samples.ts';
import { usePage } from '../app/page-context.ts';
import { Dialog } from '../components/dialog.tsx';
import { Legend } from '../components/legend.tsx';
import { Panel } from '../components/panel.tsx';
import { ScrollBox } from '../components/scroll-box.tsx';
import { TableChoice } from '../components/select.tsx';
import { TableTools } from '../components/table-tools.tsx';
import { formatGap } from '../model/keep-alive-gaps.ts';
import { formatRequests, parseRequests, samplesQuery } from '../model/requests-behind.ts';
import { usersQuery, viewKey } from '../model/summary-queries.ts';
import { valueLabel } from '../model/value-label.ts';
import { waterfallParts } from '../model/waterfall.ts';
import { withOwn } from '../state/view-state.ts';
import { DASH, formatMs, localZone } from '../text/format.ts';
import { HOST } from '../text/host.ts';
import { formatExactly, formatSpan } from '../text/moment.ts';
import { t } from '../text/t.ts';
import type { About } from './host-panel.tsx';
import { PageView } from './page-view.tsx';
import { PhaseStrip } from './phase-strip.tsx';

const words = HOST.requests;

/** The requests behind a mark of a chart, and the page view of one of them: `?requests=` and `?pageview=`. */
export function Requests({ about }: { readonly about: About }) {
  const { state, navigate } = usePage();
  const { requests, pageview } = state.own;
  if (requests === undefined) return null;
  return (
    <Dialog
      title={words.titleOf(
        pageview === undefined ? words.name : words.pageView,
        about.host,
        about.type === null ? HOST.allTypes : valueLabel('type', about.type, null),
      )}
      cancel={words.close}
      wide
      onClose={() => navigate(withOwn(state, { requests: '', pageview: '' }))}
    >
      {pageview === undefined ? <RequestList about={about} asked={requests} /> : <PageView id={pageview} />}
    </Dialog>
  );
}

function RequestList({ about: { host, type }, asked }: { readonly about: About; readonly asked: string }) {
  const { state, client, now } = usePage();
  const filters = type === null ? { host: [host] } : { host: [host], type: [type] };
  const query = () => samplesQuery(usersQuery(state, now(), { filters }), parseRequests(asked));
  return (
    <Panel<SamplesDocument>
      name={words.name}
      shape="chart"
      query={{
        key: `samples ${asked} ${JSON.stringify([host, type])} ${viewKey(state)}`,
        read: (signal, report) => client.read(`/samples?${query()}`, signal, report),
      }}
    >
      {(found) => <List found={found} asked={asked} />}
    </Panel>
  );
}

/** What the mark stood for: its time, or its values with the classes of connections that were shown. */
function boundsOf(asked: string): string {
  const { from, to, min, max, metric, connection } = parseRequests(asked);
  const classes = typeof connection === 'object' ? connection.map((one) => wordFor(t.connections, one)) : [];
  const show = metric === 'idle' ? formatGap : (value: number) => `${formatMs(value)} ms`;
  const parts = [
    typeof from === 'string' && typeof to === 'string' ? formatSpan(Date.parse(from), Date.parse(to)) : null,
    typeof metric === 'string' ? (t.phases[metric as Phase] ?? (metric === 'setup' ? t.chart.setup : null)) : null,
    typeof min !== 'string'
      ? null
      : typeof max === 'string'
        ? `${show(Number(min))} – ${show(Number(max))}`
        : `≥ ${show(Number(min))}`,
    ...classes,
  ];
  return `${parts.filter((part) => part !== null).join(', ')}.`;
}

const COLUMNS = [
  [words.time, 'text'],
  [words.lastByte, 'number'],
  [words.phases, 'text'],
  [t.dimensions.template, 'text'],
  [t.dimensions.site, 'text'],
  [t.dimensions.connection, 'text'],
  [words.firstByte, 'number'],
  [words.status, 'number'],
] as const;

interface ListProps {
  readonly found: SamplesDocument;
  readonly asked: string;
}

function List({ found: { samples, matching, withheld, method }, asked }: ListProps) {
  const longest = useMemo(() => Math.max(1, ...samples.map(({ ttlb }) => ttlb ?? 0)), [samples]);
  const path = <PathFilter samples={samples} asked={asked} />;
  if (samples.length === 0) {
    return (
      <>
        <p class="quiet">
          {boundsOf(asked)} {method.folded == null ? words.none : words.fewBrowsers(t.folded(method.folded))}
        </p>
        {path}
      </>
    );
  }
  return (
    <>
      <p class="quiet small">
        {boundsOf(asked)} {words.shown(samples.length, matching)} {t.charts.zone(localZone())}{' '}
        {withheld.length === 0 ? null : words.withheld}
      </p>
      <div class="panel-tools">
        {path}
        <TableTools name={words.name} table={() => tableOf(samples)} />
      </div>
      <Legend
        items={[
          ...PHASES.map((phase) => ({ label: t.phases[phase], colour: `--phase-${phase}` })),
          { label: t.chart.notAttributed, colour: '--phase-rest' },
        ]}
      />
      <ScrollBox class="table-box" tabindex={0} role="region" aria-label={words.name}>
        <table class="numbers requests">
          <caption class="spoken">{words.name}</caption>
          <thead>
            <tr>
              {COLUMNS.map(([heading, kind]) => (
                <th key={heading} scope="col" class={kind}>
                  {heading}
                </th>
              ))}
              {withheld.length === 0 ? (
                <th scope="col" class="text">
                  <span class="spoken">{words.pageView}</span>
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {samples.map((sample, index) => (
              <Row key={sample.id ?? index} sample={sample} longest={longest} linked={withheld.length === 0} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}

/** Limits the list to one path: the collector is asked again, since the list has only the slowest requests of all paths. */
function PathFilter({ samples, asked }: Pick<SamplesDocument, 'samples'> & { readonly asked: string }) {
  const { state, navigate } = usePage();
  const { template: chosen, ...others } = parseRequests(asked);
  const paths = new Set([...(typeof chosen === 'string' ? [chosen] : []), ...samples.map(({ template }) => template)]);
  return (
    <TableChoice
      id="requests-path"
      label={t.dimensions.template}
      value={String(chosen ?? '')}
      options={[['', words.allPaths], ...[...paths].sort().map((path) => [path, path] as const)]}
      choose={(template) =>
        navigate(withOwn(state, { requests: formatRequests(template === '' ? others : { ...others, template }) }))
      }
    />
  );
}

/** The list for copying and CSV, with every phase. */
function tableOf(samples: SamplesDocument['samples']): TableDocument {
  return {
    title: words.name,
    ...fillColumns(samples, [
      ['at', words.time, 'text', ({ at }) => formatExactly(Date.parse(at))],
      ['template', t.dimensions.template, 'text'],
      ['site', t.dimensions.site, 'text', ({ site }) => site ?? null],
      ['connection', t.dimensions.connection, 'text', ({ connection }) => wordFor(t.connections, connection)],
      ['ttfb', words.firstByte, 'ms'],
      ['ttlb', words.lastByte, 'ms'],
      ...PHASES.map((phase) => [phase, t.phases[phase], 'ms', ({ phases }: SampleDocument) => phases[phase]] as const),
      ['status', words.status, 'number'],
    ]),
    notes: [],
  };
}

interface RowProps {
  readonly sample: SampleDocument;
  /** ms that fill the column of phases. */
  readonly longest: number;
  /** The page view can be opened. */
  readonly linked: boolean;
}

function Row({ sample, longest, linked }: RowProps) {
  const { state, navigate } = usePage();
  const { id, at, template, site, connection, ttfb, ttlb, status } = sample;
  const when = formatExactly(Date.parse(at));
  return (
    <tr>
      <th scope="row" class="text line">
        {when}
      </th>
      <td class="number">{ttlb === null ? DASH : formatMs(ttlb)}</td>
      <td class="text strip-cell">
        <PhaseStrip parts={waterfallParts({ ...sample, redirect: null }, 0, longest)} />
      </td>
      <td class="text template">{template}</td>
      <td class="text line">{site ?? DASH}</td>
      <td class="text line">{wordFor(t.connections, connection)}</td>
      <td class="number">{ttfb === null ? DASH : formatMs(ttfb)}</td>
      <td class="number">{status ?? DASH}</td>
      {linked ? (
        <td class="text line">
          {id === null ? null : (
            <button
              type="button"
              class="plain"
              aria-label={words.pageViewOf(template, when)}
              onClick={() => navigate(withOwn(state, { pageview: id }))}
            >
              {words.pageView}
            </button>
          )}
        </td>
      ) : null}
    </tr>
  );
}
