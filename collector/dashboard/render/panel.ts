import { ApiError, UnreachableError } from '../api/api-error.ts';
import { asApiError, describeError } from '../api/describe-error.ts';
import type { QueryState } from '../query-cache/query-state.ts';
import { button, element } from './element.ts';
import { rememberPlace } from './keep-focus.ts';
import { endStandIn, standInOf } from './stand-in.ts';
import { cancelledView, errorView, failedPart, loadingChart, loadingView, unreachableView } from './states.ts';

/** A query that takes longer than this shows its progress and can be cancelled, ms. */
const SLOW_AFTER = 1_000;

export interface PanelElement {
  readonly element: HTMLElement;
  /** New content; focus, scrolling and open details are kept. */
  fill(content: readonly Node[]): void;
  state(state: QueryState<unknown>): void;
  end(): void;
}

/** A part of the page with its states: loading (with progress, cancellable), failed with its code, cancelled, stale. */
export function panelElement(
  name: string,
  shape: 'view' | 'chart',
  { retry, cancel }: { retry(): void; cancel(): void },
): PanelElement {
  const strip = element('div', { class: 'panel-strip' });
  const content = element('div', { class: 'panel-content' });
  const whole = element('div', { class: `reading reading-${shape}`, 'data-panel': name }, strip, content);
  let slow: ReturnType<typeof setInterval> | undefined;
  let filled = false;

  function showProgress(since: number, progress: number | null): void {
    const seconds = Math.round((Date.now() - since) / 1000);
    const part = progress === null ? '' : `${Math.floor(progress * 100)} % · `;
    const bar = element('progress', { 'aria-label': `Loading ${name}`, max: 1, value: progress });
    strip.replaceChildren(
      element(
        'div',
        { class: 'waiting' },
        bar,
        element('span', {}, `Loading ${name.toLowerCase()} … ${part}${seconds} s`),
        button({ class: 'plain', 'data-focus': `cancel ${name}` }, cancel, 'Cancel'),
      ),
    );
  }

  function instead(view: HTMLElement): void {
    endStandIn(whole);
    content.replaceChildren(view);
  }

  return {
    element: whole,
    fill(nodes) {
      filled = true;
      const restore = rememberPlace(standInOf(whole) ?? content);
      content.replaceChildren(...nodes);
      endStandIn(whole);
      restore(content);
    },
    state(state) {
      clearInterval(slow);
      whole.dataset.state = state.kind;
      whole.setAttribute('aria-busy', String(state.kind === 'loading'));
      if (state.kind === 'loading') {
        if (!filled) content.replaceChildren(shape === 'view' ? loadingView() : loadingChart());
        const { since, progress } = state;
        if (Date.now() - since > SLOW_AFTER) showProgress(since, progress);
        else strip.replaceChildren();
        slow = setInterval(() => showProgress(since, progress), SLOW_AFTER);
        return;
      }
      strip.replaceChildren();
      if (state.kind === 'failed') {
        if (state.last === null) {
          instead(shape === 'view' ? failureView(state.error, retry) : failedPart(name, state.error, retry));
        } else if (shape === 'chart') strip.replaceChildren(failureNote(state.error, retry));
      }
      if (state.kind === 'cancelled') {
        if (state.last === null) instead(cancelledView(name, retry));
      }
    },
    end: () => clearInterval(slow),
  };
}

function failureView(error: unknown, retry: () => void): HTMLElement {
  return error instanceof UnreachableError ? unreachableView(retry) : errorView(asApiError(error), retry);
}

function failureNote(error: unknown, retry: () => void): HTMLElement {
  const code = error instanceof ApiError ? ` (${error.code})` : '';
  return element(
    'p',
    { class: 'problem small', role: 'alert' },
    `Not updated${code}: ${describeError(error)} `,
    button({ class: 'plain' }, retry, 'Try again'),
  );
}
