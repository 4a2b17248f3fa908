import { useQuery } from '../query-cache/use-query.ts';
import { formatMoment } from '../state/time-range.ts';
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
  const [actual, wanted] = [answer.now, answer.expected].map((time) => formatMoment(Date.parse(time)));
  return (
    <div class="banner" role="alert">
      <strong>The collector’s clock may be wrong. </strong>
      {`It shows ${actual}; ${wanted} was expected. Until this is resolved, no data are deleted, no day is closed and no scheduled report is generated. If the clock is right, run `}
      <code>lastbyte clock confirm</code> on the collector’s machine. The warning also clears itself after an hour in
      which three or more browsers agree with the clock; a small pilot needs the command.
    </div>
  );
}
