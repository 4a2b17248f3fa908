import { useQuery } from '../query-cache/use-query.ts';
import { formatMoment } from '../text/moment.ts';
import { t } from '../text/t.ts';
import { usePage } from './page-context.ts';

interface ClockAnswer {
  /** RFC 3339. */
  readonly now: string;
  /** Null while the clock is trusted. */
  readonly expected: string | null;
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
