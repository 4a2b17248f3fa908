import { muchOfOne, toFinding } from '../../analysis/summary/finding.ts';
import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { slowGroupText } from '../../analysis/text/slow-group-text.ts';
import { usePage } from '../app/page-context.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { formatShare, minutesAhead } from '../text/format.ts';
import { HOST } from '../text/host.ts';
import { t } from '../text/t.ts';
import { type About, HostPanel, hostQuery } from './host-panel.tsx';

const { name, words, read } = HOST.slowGroup;

/** What the slow requests have in common, in a sentence; nothing if there are none. */
export function SlowGroup({ about }: { readonly about: About }) {
  const { gap } = about.cell;
  const { state: timeline } = useQuery({ ...hostQuery(usePage(), about, 'timeline'), waits: true });
  // The finding has their share.
  const abandonedShare = toFinding(about.cell)?.abandoned ?? null;
  // It reads every sample, which the chart that a zoom is about must not wait for.
  if (timeline.kind === 'loading' && timeline.last === null) return null;
  if (gap === null || (gap.tailSamples === 0 && abandonedShare === null)) return null;
  return (
    <HostPanel<SummaryDocument>
      about={about}
      name={name}
      path="summary"
      query={`by=${about.type === null ? 'host' : 'host,type'}&include=slowGroup,abandoned`}
    >
      {({ cells, method }) => {
        const { slowGroup: slow, abandoned } = cells[0] ?? {};
        const text = slow ? slowGroupText(slow, gap.tailFrom, words, t, minutesAhead(Date.parse(method.to))) : null;
        const after =
          abandonedShare !== null && abandoned ? t.finding.abandoned(abandonedShare, abandoned.median) : null;
        if (!slow || (text === null && after === null)) return null;
        return (
          <section class="chart">
            <h3>{name}</h3>
            <p role="note">
              {[text, after].filter((one) => one !== null).join(' ')}
              {slow.readShare < 1 ? <span class="quiet"> {read(formatShare(slow.readShare))}</span> : null}
            </p>
          </section>
        );
      }}
    </HostPanel>
  );
}

/** Says where one browser makes much of the requests; it reads samples, which the page does not wait for. */
export function WhoMeasures({ about }: { readonly about: About }) {
  const query = hostQuery<SummaryDocument>(usePage(), about, 'summary', 'by=host&include=httpsCost');
  const { state } = useQuery(query);
  const busiest = muchOfOne(state.last?.value.cells[0]?.httpsCost?.busiest);
  return busiest === null ? null : <p class="hint">{t.finding.busiest(busiest)}</p>;
}
