import { labelledColumns, type TableDocument } from '../../analysis/tables/table-document.ts';
import type { SiteHostsDocument } from '../../questions/site-hosts.ts';
import { usePage } from '../app/page-context.ts';
import { DataTable } from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { viewQuestion } from '../model/summary-queries.ts';
import { HOST } from '../text/host.ts';

const words = HOST.sites;

/** Connect times to a host from each site, and whose they are: the site's, the host's, or only of the route between them. */
export function Sites({ host }: { readonly host: string }) {
  // Asked about all hosts, because what is usual is learned from the others.
  return (
    <Panel<SiteHostsDocument> name={HOST.views.sites} shape="chart" query={viewQuestion(usePage(), 'site-hosts')}>
      {(document) => {
        const found = document.cells.filter((cell) => cell.host === host);
        if (found.length === 0) return <p class="quiet">{words.none}</p>;
        return (
          <>
            {toSentences(document, host).map((sentence) => (
              <p key={sentence} role="note">
                {sentence}
              </p>
            ))}
            <DataTable name="sites" table={toSiteTable(document, host)} sortable />
          </>
        );
      }}
    </Panel>
  );
}

/** What stands out, one sentence each, the largest first. */
export function toSentences({ cells, sites, hosts, undivided }: SiteHostsDocument, host: string): string[] {
  if (undivided !== null) return [words.undivided];
  const own = hosts.find((each) => each.host === host);
  const found = own?.standsOut ? [{ effect: own.effect, text: words.ofHost(own.effect) }] : [];
  for (const { site, pair, ...cell } of cells) {
    if (cell.host !== host) continue;
    const line = sites.find((each) => each.site === site);
    if (line?.standsOut) found.push({ effect: line.effect, text: words.ofSite(site, line.effect) });
    if (pair?.standsOut) found.push({ effect: pair.effect, text: words.ofPair(site, pair.effect) });
  }
  if (found.length === 0) return [words.nothing];
  return found.sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect)).map(({ text }) => text);
}

export function toSiteTable({ cells, sites, hosts, overall, leftOut }: SiteHostsDocument, host: string): TableDocument {
  const ofHost = hosts.find((each) => each.host === host)?.effect ?? null;
  return {
    title: words.title,
    columns: labelledColumns(words.columns, {
      ms: ['median', 'usual', 'ofSite', 'ofHost', 'ofPair'],
      count: ['browsers', 'n'],
    }),
    rows: cells
      .filter((cell) => cell.host === host)
      .sort((a, b) => b.median - a.median)
      .map(({ site, median, pair, browsers, n, from }) => ({
        site,
        median,
        usual: overall,
        ofSite: sites.find((each) => each.site === site)?.effect ?? null,
        ofHost,
        ofPair: pair?.effect ?? null,
        browsers,
        n,
        from: words.from[from],
      })),
    notes: [
      words.basis,
      ...(leftOut.tooFew > 0 ? [words.tooFew(leftOut.tooFew)] : []),
      ...(leftOut.beyond > 0 ? [words.beyond(leftOut.beyond)] : []),
      ...(leftOut.withoutSite > 0 ? [words.withoutSite(leftOut.withoutSite)] : []),
    ],
  };
}
