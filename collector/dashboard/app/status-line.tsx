import { useEffect, useState } from 'preact/hooks';
import { UnreachableError } from '../api/api-error.ts';
import { formatAge } from '../text/format.ts';
import { t } from '../text/t.ts';
import { usePage } from './page-context.ts';

const texts = t.app.status;

/** How often "Updated … ago" is rewritten, ms. */
const AGE_INTERVAL = 10_000;

/** How old the data are; `OutageBanner` says why they are not newer. */
export function StatusLine() {
  const { cache, now } = usePage();
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), AGE_INTERVAL);
    return () => clearInterval(timer);
  }, []);
  const { loading, oldest, failed, error } = cache.status.value;
  if (oldest === null && !loading) return null;
  const kind = !failed || oldest === null ? null : error instanceof UnreachableError ? 'unreachable' : 'failed';
  const text = (loading && kind === null) || oldest === null ? texts.loading : texts.updated(formatAge(now() - oldest));
  return (
    <div
      class={`status${kind === null ? '' : ' stale'}`}
      data-freshness={kind ?? (loading || oldest === null ? 'loading' : 'fresh')}
    >
      <span>{text}</span>
      <button type="button" class="plain" onClick={() => cache.refresh('all')}>
        {texts.refresh}
      </button>
    </div>
  );
}
