import { useEffect, useState } from 'preact/hooks';
import { UnreachableError } from '../api/api-error.ts';
import { asApiError } from '../api/describe-error.ts';
import { formatAge } from '../text/format.ts';
import { t } from '../text/t.ts';
import { usePage } from './page-context.ts';

const texts = t.app.status;

/** How often "Updated … ago" is rewritten, ms. */
const AGE_INTERVAL = 10_000;

/** How old the data are, and why they are not newer. */
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
  const age = oldest === null ? '' : formatAge(now() - oldest);
  const text =
    kind === 'unreachable'
      ? texts.unreachable(age)
      : kind === 'failed'
        ? texts.failed(asApiError(error).code, age)
        : loading || oldest === null
          ? texts.loading
          : texts.updated(age);
  return (
    <div
      class={`status${kind === null ? '' : ' stale'}`}
      data-freshness={kind ?? (loading || oldest === null ? 'loading' : 'fresh')}
    >
      {kind === null ? (
        <span>{text}</span>
      ) : (
        <span key={kind} role="alert">
          {text}
        </span>
      )}
      <button type="button" class="plain" onClick={() => cache.refresh('all')}>
        {kind === null ? texts.refresh : texts.retry}
      </button>
    </div>
  );
}
