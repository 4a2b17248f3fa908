import { usePage } from '../app/page-context.ts';
import { RouteLink } from '../components/route-link.tsx';
import { State } from '../components/states.tsx';
import { useAnnouncement } from '../components/use-announcement.ts';
import { countedReasons } from '../model/probe-words.ts';
import { describeRange } from '../state/time-range.ts';
import { toView } from '../state/view-state.ts';

/** There are no results: how to get some. */
export function NoProbes({ skipped }: { readonly skipped: Readonly<Record<string, number>> }) {
  const { state, role, navigate } = usePage();
  useAnnouncement('No probes ran in this range');
  const reasons = countedReasons(skipped);
  return (
    <State title="No probes ran" level={1}>
      <p>{`There are no results of probes in ${describeRange(state.range)}.`}</p>
      {reasons === '' ? null : <p>{`Skipped runs: ${reasons}.`}</p>}
      <ol class="steps">
        <li>
          Now, from this machine: <code>lastbyte probe https://erp.example.com/logo.png</code>
        </li>
        <li>
          On a schedule, from users’ browsers: add a probe in the settings. One small file is enough, and a budget
          limits the requests.
        </li>
      </ol>
      <p class="actions">
        {role === 'admin' ? (
          <RouteLink class="button primary" to={toView(state, 'settings', { part: 'probes' })}>
            Add a probe
          </RouteLink>
        ) : null}
        <button type="button" onClick={() => navigate({ ...state, range: { preset: '30d' } })}>
          Show 30 days
        </button>
      </p>
    </State>
  );
}
