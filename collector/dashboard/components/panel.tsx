import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { describeError } from '../api/describe-error.ts';
import { type PageContext, PageProvider, StandIn, usePage } from '../app/page-context.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { t } from '../text/t.ts';
import { Cancelled, FailedPart, FailedView, Loading } from './states.tsx';

/** A query that takes longer than this shows its progress and can be cancelled, ms. */
const SLOW_AFTER = 1_000;
/** A faster answer replaces the content without flicker, ms. */
const DIMMED_AFTER = 250;

interface PanelProps<Value> {
  /** Read out while the panel loads; `data-panel` for tests. */
  readonly name: string;
  /** A chart has smaller placeholders and errors, and no stand-in; a whole view by default. */
  readonly shape?: 'view' | 'chart';
  readonly query: ViewQuery<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** A part of the page with its states: loading (with progress, cancellable), failed with its code, cancelled, stale. */
export function Panel<Value>({ name, shape = 'view', query, children }: PanelProps<Value>) {
  const page = usePage();
  const { state, refresh, cancel } = useQuery(query);
  const shown = useRef<{ readonly content: ComponentChildren; readonly page: PageContext }>(null);
  const value = state.last?.value;
  const known = state.last !== null;
  const content = useMemo(() => (known ? children(value as Value) : null), [children, known, value]);
  const standIn = shape === 'view' && !known && state.kind === 'loading' && shown.current !== null;
  const dimmed = useDelay(standIn, DIMMED_AFTER);
  if (known) shown.current = { content, page };
  else if (!standIn) shown.current = null;

  const about = { 'data-panel': name, 'data-state': state.kind, 'aria-busy': state.kind === 'loading' };
  const strip = (
    <div class="panel-strip">
      {state.kind === 'loading' ? (
        <Progress name={name} since={state.since} progress={state.progress} cancel={cancel} />
      ) : null}
      {state.kind === 'failed' && known && shape === 'chart' ? (
        <NotUpdated error={state.error} retry={refresh} />
      ) : null}
    </div>
  );
  // The old content is not moved in the document, because that would lay it out again.
  return (
    <>
      {standIn ? (
        <div key="waits" class="reading reading-view waits" {...about}>
          {strip}
          <div class="panel-content">
            <Loading shape={shape} />
          </div>
        </div>
      ) : null}
      <div
        key="content"
        class={`reading reading-${shape}${standIn ? ' stand-in' : ''}`}
        inert={dimmed}
        {...(standIn ? {} : about)}
      >
        {standIn ? <div class="panel-strip" /> : strip}
        <div class="panel-content">
          {shown.current !== null ? (
            // A stand-in keeps the page context it was drawn for, so that nothing in it is redrawn.
            <PageProvider key="shown" value={shown.current.page}>
              <StandIn.Provider value={standIn}>{shown.current.content}</StandIn.Provider>
            </PageProvider>
          ) : state.kind === 'cancelled' ? (
            <Cancelled name={name} retry={refresh} />
          ) : state.kind !== 'failed' ? (
            <Loading shape={shape} />
          ) : shape === 'view' ? (
            <FailedView error={state.error} retry={refresh} />
          ) : (
            <FailedPart name={name} error={state.error} retry={refresh} />
          )}
        </div>
      </div>
    </>
  );
}

interface ProgressProps {
  readonly name: string;
  readonly since: number;
  readonly progress: number | null;
  cancel(): void;
}

function Progress({ name, since, progress, cancel }: ProgressProps) {
  const { now } = usePage();
  const [passed, setPassed] = useState(() => now() - since);
  useEffect(() => {
    setPassed(now() - since);
    const timer = setInterval(() => setPassed(now() - since), SLOW_AFTER);
    return () => clearInterval(timer);
  }, [now, since]);
  if (passed < SLOW_AFTER) return null;
  const part = progress === null ? '' : `${Math.floor(progress * 100)} % · `;
  return (
    <div class="waiting">
      <progress
        aria-label={t.components.loadingName(name)}
        max={1}
        {...(progress === null ? {} : { value: progress })}
      />
      <span>{t.components.loading(name, `${part}${Math.round(passed / 1000)} s`)}</span>
      <button type="button" class="plain" onClick={cancel}>
        {t.components.cancel}
      </button>
    </div>
  );
}

function NotUpdated({ error, retry }: { readonly error: unknown; retry(): void }) {
  const code = error instanceof ApiError ? error.code : null;
  return (
    <p class="problem small" role="alert">
      {t.components.notUpdated(code, describeError(error))}
      <button type="button" class="plain" onClick={retry}>
        {t.components.tryAgain}
      </button>
    </p>
  );
}

/** True once `on` has been true for a while. */
function useDelay(on: boolean, delay: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!on) return;
    const timer = setTimeout(() => setLate(true), delay);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [on, delay]);
  return on && late;
}
