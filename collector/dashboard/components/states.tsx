import type { ComponentChildren } from 'preact';
import type { SummaryMethod } from '../../analysis/summary/summary-document.ts';
import { UnreachableError } from '../api/api-error.ts';
import { asApiError, describeError, detailsOf, headlineOf } from '../api/describe-error.ts';
import { usePage } from '../app/page-context.ts';
import { describeRange } from '../state/time-range.ts';
import { toView } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { useAnnouncement } from './use-announcement.ts';

/** Placeholders, so that the page does not jump when the content arrives. */
export function Loading({ shape }: { readonly shape: 'view' | 'chart' }) {
  const lines = Array.from({ length: 8 }, (_, line) => <span key={line} class="bone" />);
  return (
    <div class="loading" aria-hidden="true">
      <span class={`bone ${shape === 'view' ? 'bone-lead' : 'bone-chart'}`} />
      {shape === 'view' ? lines : null}
    </div>
  );
}

/** Replaces the whole page, or a part of it. */
export function State({
  title,
  level = 2,
  children,
}: {
  readonly title: string;
  readonly level?: 1 | 2;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="state">
      {level === 1 ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </section>
  );
}

interface Failure {
  readonly error: unknown;
  retry(): void;
}

/** A view that could not be loaded. */
export function FailedView({ error, retry }: Failure) {
  if (error instanceof UnreachableError) {
    return (
      <State title="The collector does not respond">
        <p>It may be restarting, or the network is down. This page retries automatically.</p>
        <p class="actions">
          <button type="button" class="primary" onClick={retry}>
            Retry now
          </button>
        </p>
      </State>
    );
  }
  const apiError = asApiError(error);
  const { code, status } = apiError;
  return (
    <State title={status >= 500 ? 'The collector reported an error' : 'This view cannot be shown'}>
      <p>{headlineOf(apiError)}</p>
      {detailsOf(apiError).map((detail) => (
        <p key={detail}>{detail}</p>
      ))}
      <Code code={code} status={status} />
      <p class="actions">
        <button type="button" class="primary" onClick={retry}>
          Try again
        </button>
      </p>
    </State>
  );
}

/** A part of the page that failed to load; the rest of the page is unaffected. */
export function FailedPart({ name, error, retry }: Failure & { readonly name: string }) {
  const { code, status } = asApiError(error);
  return (
    <section class="chart failed-part">
      <h3>{name}</h3>
      <p class="problem" role="alert">
        {describeError(error)}
      </p>
      {error instanceof UnreachableError ? null : <Code code={code} status={status} />}
      <p class="actions">
        <button type="button" onClick={retry}>
          Try again
        </button>
      </p>
    </section>
  );
}

function Code({ code, status }: { readonly code: string; readonly status: number }) {
  return (
    <p class="quiet small">
      Code <code>{code}</code> · status {status}
    </p>
  );
}

/** Shown after a cancel before the first answer. */
export function Cancelled({ name, retry }: { readonly name: string; retry(): void }) {
  return (
    <p class="cancelled quiet">
      {`${name}: cancelled. `}
      <button type="button" onClick={retry}>
        Load
      </button>
    </p>
  );
}

/** Nothing was measured, nothing matches the filters, or nothing may be shown to this role. */
export function Empty({ method }: { readonly method: Pick<SummaryMethod, 'folded'> }) {
  const { state, navigate } = usePage();
  useAnnouncement('Nothing to show in this view');
  const ofHost = state.view === 'host';
  const filtered = Object.keys(state.filters).length > 0 || ofHost;
  const range = describeRange(state.range);
  const clear = filtered ? (
    <button
      type="button"
      class="primary"
      onClick={() => navigate({ ...(ofHost ? toView(state, 'overview') : state), filters: {} })}
    >
      Clear filters
    </button>
  ) : null;
  const longer = (
    <button type="button" onClick={() => navigate({ ...state, range: { preset: '30d' } })}>
      Show 30 days
    </button>
  );
  if (method.folded != null) {
    return (
      <State title="Too few browsers">
        <p>{`The data in ${range} come from too few browsers to be shown. ${t.folded(method.folded)}.`}</p>
        <p>{`${filtered ? 'Fewer filters or a' : 'A'} longer range may include more browsers. Administrators see everything.`}</p>
        <p class="actions">
          {clear}
          {longer}
        </p>
      </State>
    );
  }
  if (filtered) {
    return (
      <State title="No samples match">
        <p>{`Nothing in ${range} matches these filters.`}</p>
        <p class="actions">
          {clear}
          {longer}
        </p>
      </State>
    );
  }
  return (
    <State title="Nothing measured yet">
      <p>{`No browser has sent a sample in ${range}.`}</p>
      <ol class="steps">
        <li>
          Configure the apps to watch: <code>lastbyte settings apply settings.json</code>
        </li>
        <li>
          Create a key for browsers: <code>lastbyte token create --role ingest</code>
        </li>
        <li>Install the extension, enter this address and the key in its options, and open one of the apps.</li>
      </ol>
      <p class="quiet">The first data appear here about a minute later.</p>
      <p class="actions">{longer}</p>
    </State>
  );
}
