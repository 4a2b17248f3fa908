import { column } from '../../../analysis/tables/table-document.ts';
import { formatShare } from '../../../analysis/text/format.ts';
import type { TlsDocument } from '../../../questions/tls.ts';
import { describeIssuer, otherIssuers } from '../../model/tls-issuers.ts';
import { dataTable } from '../../render/data-table.ts';
import { element } from '../../render/element.ts';
import { type HostContext, hostKey, hostPath } from '../host-context.ts';
import { nothingToDraw } from './nothing-to-draw.ts';

const TITLE = 'TLS versions, ciphers and issuers';
/** In the order of the table. */
const FACT_LABELS = { version: 'Version', cipher: 'Cipher', keyExchange: 'Key exchange', issuer: 'Issuer' } as const;
const FACTS = Object.keys(FACT_LABELS);

/** TLS facts that browsers report, and whether some see a certificate that most do not. */
export function tlsPanel(context: HostContext): HTMLElement {
  return context.scope.panel<TlsDocument>({
    key: hostKey(context, 'tls'),
    name: 'TLS',
    shape: 'chart',
    read: (signal, report) => context.view.client.read(hostPath(context, 'tls', ''), signal, report),
    render: (document) => [draw(context, document)],
  });
}

function draw({ view: { state, navigate } }: HostContext, { samples, told, rows }: TlsDocument): HTMLElement {
  if (samples === 0) return nothingToDraw(TITLE, 'No request here used https.');
  if (told === null) {
    return nothingToDraw(TITLE, 'Too few browsers report TLS facts, or too few do not.');
  }
  if (rows.length === 0) {
    return nothingToDraw(TITLE, 'No browser reported TLS facts: only Firefox does, and only to the extension.');
  }
  const warnings = otherIssuers(rows).map((other) =>
    element('p', { class: `issuer${other.certain ? ' certain' : ''}`, role: 'note' }, describeIssuer(other)),
  );
  const name = 'tls';
  const table = dataTable({
    name,
    sort: state.sorts[name] ?? null,
    sortBy: (sort) => navigate({ ...state, sorts: { ...state.sorts, [name]: sort } }),
    table: {
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
        .map(({ fact, value, samples: n, browsers, tls, ttlb }) => ({
          fact: FACT_LABELS[fact],
          value,
          samples: n,
          browsers,
          n: tls?.n ?? 0,
          tls: tls?.median ?? null,
          ttlb: ttlb?.median ?? null,
        })),
      notes: [
        `Based on ${formatShare(told / samples)} of the https requests: only Firefox reports TLS facts.`,
        'An unusual issuer suggests TLS inspection between these browsers and the server.',
      ],
    },
  });
  return element('div', { class: 'tls' }, ...warnings, table);
}
