import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ClockAnswer } from '../../http/schemas/control-answers.ts';
import { UnreachableError } from '../api/api-error.ts';
import { asApiError, toHeadline } from '../api/describe-error.ts';
import { useQuery } from '../query-cache/use-query.ts';
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
  return <Banner error={error} since={timeOf(newest, now())} retry={() => cache.refresh('all')} />;
}

function Banner({ error, since, retry }: { readonly error: unknown; readonly since: string; retry(): void }) {
  const banner = useRef<HTMLDivElement>(null);
  // It goes while its button has the focus.
  useLayoutEffect(
    () => () => {
      if (banner.current?.contains(document.activeElement)) document.getElementById('main')?.focus();
    },
    [],
  );
  const unreachable = error instanceof UnreachableError;
  return (
    <div ref={banner} class="banner outage" role="alert" data-outage={unreachable ? 'unreachable' : 'failed'}>
      <span>
        {unreachable ? t.app.outage.unreachable(since) : t.app.outage.failed(toHeadline(asApiError(error)), since)}
      </span>
      <button type="button" onClick={retry}>
        {t.app.outage.retry}
      </button>
    </div>
  );
}

/** Local time; with the date if it is another day. */
function timeOf(at: number, now: number): string {
  return formatDay(at) === formatDay(now) ? formatTime(at) : formatMoment(at);
}

/** A banner above every view while the collector distrusts its clock. For administrators: only they can confirm it. */
export function ClockBanner() {
  const { client } = usePage();
  const { state } = useQuery<ClockAnswer>({ key: 'clock', read: (signal) => client.read('/clock', signal) });
  const answer = state.last?.value;
  if (answer === undefined || answer.expected === null) return null;
  const [actual = '', expected = ''] = [answer.now, answer.expected].map((time) => formatMoment(Date.parse(time)));
  const { lead, details, confirm } = t.app.clock;
  return (
    <div class="banner" role="alert">
      <strong>{lead}</strong>
      {` ${details(actual, expected)} ${confirm} `}
      <code>lastbyte clock confirm</code>
    </div>
  );
}
