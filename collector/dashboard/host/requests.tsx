import { useMemo } from 'preact/hooks';
import type { Phase } from '../../../shared/vocabulary/time-names.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { SampleDocument } from '../../questions/sample-schema.ts';
import type { SamplesDocument } from '../../questions/samples.ts';
import { usePage } from '../app/page-context.ts';
import { Dialog } from '../components/dialog.tsx';
import { Panel } from '../components/panel.tsx';
import { ScrollBox } from '../components/scroll-box.tsx';
import { formatGap } from '../model/keep-alive-gaps.ts';
import { parseRequests, samplesQuery } from '../model/requests-behind.ts';
import { usersQuery, viewKey } from '../model/summary-queries.ts';
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
      title={pageview === undefined ? words.title : words.pageView}
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
  if (samples.length === 0) {
    return <p class="quiet">{method.folded == null ? words.none : words.fewBrowsers(t.folded(method.folded))}</p>;
  }
  return (
    <>
      <p class="quiet small">
        {boundsOf(asked)} {words.shown(samples.length, matching)} {t.charts.zone(localZone())}{' '}
        {withheld.length === 0 ? null : words.withheld}
      </p>
      <ScrollBox class="table-box" tabindex={0} role="region" aria-label={words.name}>
        <table class="numbers requests">
          <caption class="spoken">{words.title}</caption>
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
