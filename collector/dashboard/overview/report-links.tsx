import { usePage } from '../app/page-context.ts';
import { viewQuery } from '../model/summary-queries.ts';
import { localZone } from '../text/format.ts';
import { t } from '../text/t.ts';

const FORMATS = ['html', 'pdf', 'csv'] as const;

/** Links to a report with the view's range and filters, in the reader's language and time zone. The session's cookie authorizes them. */
export function ReportLinks() {
  const { state, now } = usePage();
  const host = state.view === 'host' ? (state.own.page ?? null) : null;
  const reader = new URLSearchParams({ lang: t.language, zone: localZone() });
  const query = `${viewQuery(state, now(), host === null ? {} : { filters: { host: [host] } })}&${reader}`;
  return (
    <p class="report-links">
      {`${t.overview.exportReport} `}
      {FORMATS.map((format, i) => [
        i === 0 ? '' : ' · ',
        <a key={format} href={`/api/v1/report?view=monthly&format=${format}&${query}`}>
          {t.overview.reportFormats[format]}
        </a>,
      ])}
    </p>
  );
}
