import { usePage } from '../app/page-context.ts';
import { rangeBefore, zoomOut } from '../state/zoom.ts';
import { t } from '../text/t.ts';

/** Undoes a zoom; nothing while the range ends now. */
export function ZoomOut() {
  const { state, navigate, now } = usePage();
  if ('preset' in state.range) return null;
  const before = rangeBefore(state);
  return (
    <button type="button" class="tool" onClick={() => navigate(zoomOut(state, now()))}>
      {before !== null && 'preset' in before ? t.charts.backTo(t.app.ranges[before.preset].label) : t.charts.zoomOut}
    </button>
  );
}
