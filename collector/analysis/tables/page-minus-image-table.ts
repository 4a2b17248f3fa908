import { hostLabel } from '../../../shared/redact/host-label.ts';
import type { TableTexts } from '../text/english-tables.ts';
import type { PageGroup } from './page-groups.ts';
import { column, type TableDocument, type TableRow } from './table-document.ts';

/** Between an image and the page it is compared with; beyond that, the path would affect the result. */
const MAX_SIZE_RATIO = 2;

/**
 * What a page costs the server beyond a static image: the difference of their median waits on one host. A cross-check of the
 * server share that needs no new connections and includes no handshake.
 */
export function pageMinusImageTable(
  pages: readonly PageGroup[],
  { titles, columns, notes }: TableTexts,
): TableDocument {
  const rows = pages.flatMap((page) => (page.type === 'document' ? rowOf(page, pages) : []));
  return {
    title: titles.pageMinusImage,
    columns: [
      column('host', columns.host, 'text'),
      column('template', columns.page, 'text'),
      column('image', columns.image, 'text'),
      column('page_wait', columns.pageWait, 'ms'),
      column('image_wait', columns.imageWait, 'ms'),
      column('server', columns.serverShare, 'ms'),
    ],
    rows,
    notes: rows.length === 0 ? [notes.noImage] : [notes.nearestImage, notes.imageWait],
  };
}

function rowOf(page: PageGroup, pages: readonly PageGroup[]): TableRow[] {
  const size = page.length?.median;
  if (size === undefined || !page.wait) return [];
  const distance = ({ length }: PageGroup) => Math.abs(Math.log((length?.median ?? 0) / size));
  const image = pages
    .filter(({ type, host, wait }) => type === 'image' && host === page.host && wait !== null)
    .filter((candidate) => distance(candidate) <= Math.log(MAX_SIZE_RATIO))
    .sort((a, b) => distance(a) - distance(b))[0];
  if (!image?.wait) return [];
  return [
    {
      host: hostLabel(page.host),
      template: page.template,
      image: image.template,
      page_wait: page.wait.median,
      image_wait: image.wait.median,
      server: page.wait.median - image.wait.median,
    },
  ];
}
