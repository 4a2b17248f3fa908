import { column, type TableDocument } from '../../analysis/tables/table-document.ts';
import type { TlsDocument } from '../../questions/tls.ts';
import { DataTable } from '../components/data-table.tsx';
import { describeIssuer, otherIssuers } from '../model/tls-issuers.ts';
import { formatShare } from '../text/format.ts';
import { type About, HostPanel, NothingToDraw } from './host-panel.tsx';

const TITLE = 'TLS versions, ciphers and issuers';
/** In the order of the table. */
const FACT_LABELS = { version: 'Version', cipher: 'Cipher', keyExchange: 'Key exchange', issuer: 'Issuer' } as const;
const FACTS = Object.keys(FACT_LABELS);

/** TLS facts that browsers report, and whether some see a certificate that most do not. */
export function Tls({ about }: { readonly about: About }) {
  return (
    <HostPanel<TlsDocument> about={about} name="TLS" path="tls">
      {({ samples, told, rows }) => {
        if (samples === 0) return <NothingToDraw title={TITLE}>No request here used https.</NothingToDraw>;
        if (told === null) {
          return <NothingToDraw title={TITLE}>Too few browsers report TLS facts, or too few do not.</NothingToDraw>;
        }
        if (rows.length === 0) {
          return (
            <NothingToDraw title={TITLE}>
              No browser reported TLS facts: only Firefox does, and only to the extension.
            </NothingToDraw>
          );
        }
        return (
          <div class="tls">
            {otherIssuers(rows).map((other, index) => (
              <p key={index} class={`issuer${other.certain ? ' certain' : ''}`} role="note">
                {describeIssuer(other)}
              </p>
            ))}
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
    columns: [
      column('fact', 'Fact', 'text'),
      column('value', 'Value', 'text'),
      column('samples', 'Requests', 'count'),
      column('browsers', 'Browsers', 'count'),
      column('n', 'Handshakes', 'count'),
      column('tls', 'Handshake, median', 'ms'),
      column('ttlb', 'Last byte, median', 'ms'),
    ],
    rows: [...rows]
      .sort((a, b) => FACTS.indexOf(a.fact) - FACTS.indexOf(b.fact))
      .map(({ fact, value, samples, browsers, tls, ttlb }) => ({
        fact: FACT_LABELS[fact],
        value,
        samples,
        browsers,
        n: tls?.n ?? 0,
        tls: tls?.median ?? null,
        ttlb: ttlb?.median ?? null,
      })),
    notes: [
      `Based on ${formatShare(told)} of the https requests: only Firefox reports TLS facts.`,
      'An unusual issuer suggests TLS inspection between these browsers and the server.',
    ],
  };
}
