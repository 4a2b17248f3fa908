import { UnreachableError } from '../api/api-error.ts';
import { asApiError, headlineOf } from '../api/describe-error.ts';
import { formatDay, formatMoment, formatTime } from '../text/moment.ts';
import { t } from '../text/t.ts';
import { usePage } from './page-context.ts';

/**
 * Says that what is shown is old, and why: the collector does not answer, or refuses. It goes when an answer arrives. A view
 * that was never read says so itself.
 */
export function OutageBanner() {
  const { cache, now } = usePage();
  const { failed, error, newest } = cache.status.value;
  if (!failed || newest === null) return null;
  const since = timeOf(newest, now());
  return (
    <div class="banner outage" role="alert" data-outage={error instanceof UnreachableError ? 'unreachable' : 'failed'}>
      <span>
        {error instanceof UnreachableError
          ? t.app.outage.unreachable(since)
          : t.app.outage.failed(headlineOf(asApiError(error)), since)}
      </span>
      <button type="button" onClick={() => cache.refresh('all')}>
        {t.app.outage.retry}
      </button>
    </div>
  );
}

/** Local time; with the date if it is another day. */
function timeOf(at: number, now: number): string {
  return formatDay(at) === formatDay(now) ? formatTime(at) : formatMoment(at);
}
