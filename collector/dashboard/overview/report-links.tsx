import { usePage } from '../app/page-context.ts';
import { viewQuery } from '../model/summary-queries.ts';
import { t } from '../text/t.ts';

const FORMATS = ['html', 'pdf', 'csv'] as const;

/** Links to a report with the view's range and filters; the session's cookie authorizes them. */
export function ReportLinks() {
  const { state, now } = usePage();
  const host = state.view === 'host' ? (state.own.page ?? null) : null;
  const query = viewQuery(state, now(), host === null ? {} : { filters: { host: [host] } });
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
