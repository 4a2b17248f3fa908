import type { ComponentChildren, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SummaryMethod } from '../../analysis/summary/summary-document.ts';
import { UnreachableError } from '../api/api-error.ts';
import { asApiError, describeError, toDetails, toHeadline } from '../api/describe-error.ts';
import { useAnnouncement, usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import { describeFilters } from '../model/describe-filters.ts';
import { viewQuery } from '../model/summary-queries.ts';
import { valueLabel } from '../model/value-label.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { describeRange } from '../state/time-range.ts';
import { toView } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { ZoomOut } from './zoom-out.tsx';

const words = t.components;

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

interface StateProps {
  readonly title: string;
  readonly level?: 1 | 2;
  readonly children: ComponentChildren;
}

/** Replaces the whole page, or a part of it. */
export function State({ title, level = 2, children }: StateProps) {
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
      <State title={words.notResponding}>
        <p>{words.notRespondingWhy}</p>
        <p class="actions">
          <button type="button" class="primary" onClick={retry}>
            {words.retryNow}
          </button>
        </p>
      </State>
    );
  }
  const apiError = asApiError(error);
  const { code, status } = apiError;
  return (
    <State title={status >= 500 ? words.serverFailed : words.viewFailed}>
      <p>{toHeadline(apiError)}</p>
      {toDetails(apiError).map((detail) => (
        <p key={detail}>{detail}</p>
      ))}
      <Code code={code} status={status} />
      <p class="actions">
        <button type="button" class="primary" onClick={retry}>
          {words.tryAgain}
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
          {words.tryAgain}
        </button>
      </p>
    </section>
  );
}

function Code({ code, status }: { readonly code: string; readonly status: number }) {
  return (
    <p class="quiet small">
      {words.code} <code>{code}</code> · {words.status(status)}
    </p>
  );
}

/** Shown after a cancel before the first answer. */
export function Cancelled({ name, retry }: { readonly name: string; retry(): void }) {
  return (
    <p class="cancelled quiet">
      {words.cancelled(name)}
      <button type="button" onClick={retry}>
        {words.load}
      </button>
    </p>
  );
}

/** Nothing was measured, nothing matches the filters, or nothing may be shown to this role. */
export function Empty({ method }: { readonly method: Pick<SummaryMethod, 'folded'> }) {
  const { state, navigate, client, now } = usePage();
  useAnnouncement(words.nothingShown);
  const ofHost = state.view === 'host';
  const filtered = Object.keys(state.filters).length > 0 || ofHost;
  const range = describeRange(state.range);
  const names = useAppNames();
  const asked = [
    ...(ofHost ? [valueLabel('host', state.own.page, names)] : []),
    ...describeFilters(state.filters, names).map(({ text }) => text),
  ];
  const ever = useQuery({
    key: 'ever measured',
    read: async (signal) => {
      const { cells, method } = await client.summary(
        viewQuery({ range: { from: 0, to: now() }, filters: {} }, now()),
        signal,
      );
      return cells.length > 0 || method.folded != null;
    },
    waits: filtered || method.folded != null,
  }).state;
  const clear = filtered ? (
    <button
      type="button"
      class="primary"
      onClick={() => navigate({ ...(ofHost ? toView(state, 'overview') : state), filters: {} })}
    >
      {words.clearFilters}
    </button>
  ) : null;
  const actions = (
    <p class="actions">
      {clear}
      <button type="button" onClick={() => navigate({ ...state, range: { preset: '30d' } })}>
        {words.show30Days}
      </button>
      <ZoomOut />
    </p>
  );
  if (method.folded != null) {
    return (
      <State title={words.fewBrowsers}>
        <p>{words.fewBrowsersIn(range, t.folded(method.folded))}</p>
        <p>{words.fewBrowsersHint(filtered)}</p>
        {actions}
      </State>
    );
  }
  if (filtered) {
    return (
      <State title={words.noMatch}>
        <p>{words.noMatchIn(range, asked.join(', '))}</p>
        {actions}
      </State>
    );
  }
  if (ever.kind === 'loading' && ever.last === null) return <Loading shape="view" />;
  const isFirst = ever.last?.value === false;
  return (
    <State title={isFirst ? words.nothingMeasured : words.nothingInRange}>
      {isFirst ? (
        <FirstSteps />
      ) : (
        <>
          <p>{words.nothingSentIn(range)}</p>
          {actions}
        </>
      )}
    </State>
  );
}

/** What to do while nothing has been measured: for administrators the guide, which is loaded when it is needed. */
function FirstSteps() {
  const { role } = usePage();
  const [loaded, setLoaded] = useState<{ readonly Guide?: FunctionComponent; readonly failed?: true }>({});
  useEffect(() => {
    if (role !== 'admin') return;
    import('../start/start-guide.tsx').then(
      ({ StartGuide }) => setLoaded({ Guide: StartGuide }),
      () => setLoaded({ failed: true }),
    );
  }, [role]);
  const { Guide, failed = false } = loaded;
  if (role !== 'admin') return <p>{words.settingUp}</p>;
  if (failed) return <p class="problem">{words.noGuide}</p>;
  return Guide === undefined ? null : <Guide />;
}
