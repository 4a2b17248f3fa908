import { ApiError, UnreachableError } from '../api/api-error.ts';
import { asApiError, describeError } from '../api/describe-error.ts';
import type { Reading } from '../readings/reading.ts';
import { button, element } from './element.ts';
import { rememberPlace } from './keep-focus.ts';
import { endStandIn, standInOf } from './stand-in.ts';
import { cancelledView, errorView, failedPart, loadingChart, loadingView, unreachableView } from './states.ts';

/** A reading that takes longer than this says so, and can be cancelled, ms. */
const SLOW_AFTER = 1_000;

export interface PanelElement {
  readonly element: HTMLElement;
  /** New content; whoever was reading in it stays where they were. */
  fill(content: readonly Node[]): void;
  /** Loading, failed, cancelled, or nothing to say. */
  state(reading: Reading<unknown>): void;
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

  function waiting(since: number, progress: number | null): void {
    const seconds = Math.round((Date.now() - since) / 1000);
    const part = progress === null ? '' : `${Math.floor(progress * 100)} % · `;
    const bar = element('progress', { 'aria-label': `Reading ${name}`, max: 1, value: progress });
    strip.replaceChildren(
      element(
        'div',
        { class: 'waiting' },
        bar,
        element('span', {}, `Reading ${name.toLowerCase()} … ${part}${seconds} s`),
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
    state(reading) {
      clearInterval(slow);
      whole.dataset.state = reading.kind;
      whole.setAttribute('aria-busy', String(reading.kind === 'loading'));
      if (reading.kind === 'loading') {
        if (!filled) content.replaceChildren(shape === 'view' ? loadingView() : loadingChart());
        const { since, progress } = reading;
        if (Date.now() - since > SLOW_AFTER) waiting(since, progress);
        else strip.replaceChildren();
        slow = setInterval(() => waiting(since, progress), SLOW_AFTER);
        return;
      }
      strip.replaceChildren();
      if (reading.kind === 'failed') {
        if (reading.last === null) {
          instead(shape === 'view' ? failureView(reading.error, retry) : failedPart(name, reading.error, retry));
        } else if (shape === 'chart') strip.replaceChildren(failureNote(reading.error, retry));
      }
      if (reading.kind === 'cancelled') {
        if (reading.last === null) instead(cancelledView(name, retry));
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
