import type { ProbesDocument } from '../../questions/probes.ts';
import { useAnnouncement, usePage } from '../app/page-context.ts';
import { RouteLink } from '../components/route-link.tsx';
import { State } from '../components/states.tsx';
import { describeRange } from '../state/time-range.ts';
import { toView } from '../state/view-state.ts';
import { PROBES } from '../text/probes.ts';
import { countedReasons } from './run-reasons.ts';

const text = PROBES.none;

/** There are no results: how to get some. */
export function NoProbes({ skipped, off }: Pick<ProbesDocument['turns'], 'skipped'> & Pick<ProbesDocument, 'off'>) {
  const { state, role, navigate } = usePage();
  useAnnouncement(text.announced);
  const reasons = countedReasons(skipped);
  return (
    <State title={text.title} level={1}>
      <p>{text.lead(describeRange(state.range))}</p>
      {reasons === '' ? null : <p>{text.skipped(reasons)}</p>}
      {off.length === 0 ? null : <p>{PROBES.runs.off(off.join(', '))}</p>}
      <ol class="steps">
        <li>
          {text.now} <code>lastbyte probe https://erp.example.com/logo.png</code>
        </li>
        <li>{text.schedule}</li>
      </ol>
      <p class="actions">
        {role === 'admin' ? (
          <RouteLink class="button primary" to={toView(state, 'settings', { part: 'probes' })}>
            {text.add}
          </RouteLink>
        ) : null}
        <button type="button" onClick={() => navigate({ ...state, range: { preset: '30d' } })}>
          {text.longer}
        </button>
      </p>
    </State>
  );
}
