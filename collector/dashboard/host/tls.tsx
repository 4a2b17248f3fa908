import { browsersLabel, browsersNotes } from '../../analysis/tables/browsers-column.ts';
import { labelledColumns, type TableDocument } from '../../analysis/tables/table-document.ts';
import type { TlsDocument } from '../../questions/tls.ts';
import { DataTable } from '../components/data-table.tsx';
import { formatShare } from '../text/format.ts';
import { HOST } from '../text/host.ts';
import { t } from '../text/t.ts';
import { type About, HostPanel, NothingToDraw } from './host-panel.tsx';
import { describePostQuantum } from './post-quantum.ts';
import { describeIssuer, issuerName, otherIssuers } from './tls-issuers.ts';

const words = HOST;
const TITLE = words.tlsTitle;
/** In the order of the table. */
const FACTS = Object.keys(words.tlsFacts);

/** TLS facts that browsers report, and whether some see a certificate that most do not. */
export function Tls({ about }: { readonly about: About }) {
  return (
    <HostPanel<TlsDocument> about={about} name={words.tlsName} path="tls">
      {({ samples, told, rows }) => {
        if (samples === 0) return <NothingToDraw title={TITLE}>{words.noHttps}</NothingToDraw>;
        if (told === null) {
          return <NothingToDraw title={TITLE}>{words.tlsFewBrowsers}</NothingToDraw>;
        }
        if (rows.length === 0) {
          return <NothingToDraw title={TITLE}>{words.tlsNotReported}</NothingToDraw>;
        }
        const cost = describePostQuantum(rows);
        return (
          <div class="tls">
            {otherIssuers(rows).map((other, index) => (
              <p key={index} class={`issuer${other.certain ? ' certain' : ''}`} role="note">
                {describeIssuer(other)}
              </p>
            ))}
            {cost === null ? null : <p role="note">{cost}</p>}
            <DataTable name="tls" table={tableOf(rows, told / samples)} sortable />
          </div>
        );
      }}
    </HostPanel>
  );
}

function tableOf(rows: TlsDocument['rows'], told: number): TableDocument {
  return {
    title: TITLE,
    columns: labelledColumns(
      { ...words.tlsColumns, browsers: browsersLabel(words.tlsColumns.browsers, rows, t) },
      { count: ['samples', 'browsers', 'n'], ms: ['tls', 'ttlb'], number: ['roundTrips'] },
    ),
    rows: [...rows]
      .sort((a, b) => FACTS.indexOf(a.fact) - FACTS.indexOf(b.fact))
      .map(({ fact, value, samples, browsers, tls, roundTrips, ttlb }) => ({
        fact: words.tlsFacts[fact],
        value: fact === 'issuer' ? issuerName(value) : value,
        samples,
        browsers,
        n: tls?.n ?? 0,
        tls: tls?.median ?? null,
        roundTrips,
        ttlb: ttlb?.median ?? null,
      })),
    notes: [words.tlsBasis(formatShare(told)), words.tlsInspection, ...browsersNotes(rows, t)],
  };
}
