// biome-ignore-all lint/a11y/noRedundantRoles: laid out as cards, a table loses its implicit roles
import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { PageViewDocument } from '../../questions/page-view.ts';
import { usePage } from '../app/page-context.ts';
import { Legend } from '../components/legend.tsx';
import { Panel } from '../components/panel.tsx';
import { ScrollBox } from '../components/scroll-box.tsx';
import { valueLabel } from '../model/value-label.ts';
import { waterfallParts, waterfallSpan } from '../model/waterfall.ts';
import { withOwn } from '../state/view-state.ts';
import { DASH, formatMs } from '../text/format.ts';
import { HOST } from '../text/host.ts';
import { formatExactly } from '../text/moment.ts';
import { t } from '../text/t.ts';
import { PhaseStrip } from './phase-strip.tsx';

const words = HOST.requests;

const COLUMNS = [
  [words.request, 'text'],
  [words.phases, 'text'],
  [words.starts, 'number'],
  [words.lastByte, 'number'],
  [words.status, 'number'],
] as const;

/** The requests of the page view that a sample belongs to, as a waterfall. @param id of a sample */
export function PageView({ id }: { readonly id: string }) {
  const { state, client, navigate } = usePage();
  return (
    <>
      <p>
        <button type="button" class="plain" onClick={() => navigate(withOwn(state, { pageview: '' }))}>
          {words.back}
        </button>
      </p>
      <Panel<PageViewDocument>
        name={words.pageView}
        shape="chart"
        query={{
          key: `page-view ${id}`,
          read: (signal, report) => client.read(`/page-view?id=${encodeURIComponent(id)}`, signal, report),
        }}
      >
        {(found) => <Waterfall found={found} />}
      </Panel>
    </>
  );
}

function Waterfall({ found: { reason, from, end, requests, omitted } }: { readonly found: PageViewDocument }) {
  if (reason !== null) return <p class="quiet">{words.noPageView[reason]}</p>;
  const span = waterfallSpan(requests);
  const notes = [
    from === null ? null : words.began(formatExactly(Date.parse(from)), requests.length),
    end === 'limit' ? words.limit : null,
    omitted > 0 ? words.omitted(omitted) : null,
  ];
  return (
    <>
      <p class="quiet small">{notes.filter((note) => note !== null).join(' ')}</p>
      <Legend items={PHASES.map((phase) => ({ label: t.phases[phase], colour: `--phase-${phase}` }))} />
      <ScrollBox class="table-box" tabindex={0} role="region" aria-label={words.waterfall}>
        <table class="numbers waterfall" role="table">
          <caption class="spoken">{words.pageView}</caption>
          <thead>
            <tr>
              {COLUMNS.map(([heading, kind]) => (
                <th key={heading} scope="col" class={kind}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {requests.map((request, index) => (
              <tr key={request.id ?? index} role="row" class={request.asked ? 'asked' : undefined}>
                <th scope="row" role="rowheader" class="text template">
                  <span class="quiet" title={request.host}>
                    {valueLabel('host', request.host, null)}
                  </span>{' '}
                  {request.template}
                  {request.asked ? <span class="badge">{words.asked}</span> : null}
                </th>
                <td role="cell" class="text strip-cell">
                  {request.ttlb === null ? (
                    <span class="quiet">{wordFor(t.connections, request.connection)}</span>
                  ) : (
                    <PhaseStrip parts={waterfallParts(request, request.offsetMs, span)} />
                  )}
                </td>
                <td role="cell" class="number" data-label={words.starts}>
                  {formatMs(request.offsetMs)}
                </td>
                <td role="cell" class="number" data-label={words.lastByte}>
                  {request.ttlb === null ? DASH : atLeast(request) + formatMs(request.ttlb)}
                </td>
                <td role="cell" class="number" data-label={words.status}>
                  {request.status ?? (isAbandoned(request) ? t.exclusions.abandoned : DASH)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}

type Request = PageViewDocument['requests'][number];

function isAbandoned({ excluded }: Request): boolean {
  return excluded === 'abandoned';
}

/** It would have taken longer. */
function atLeast(request: Request): string {
  return isAbandoned(request) ? '≥ ' : '';
}
