import type { FoldedCells, SummaryMethod } from '../../analysis/summary/summary-document.ts';
import { foldedText } from '../../analysis/text/words.ts';
import { type ApiError, UnreachableError } from '../api/api-error.ts';
import { asApiError, describeError, sentence } from '../api/describe-error.ts';
import { button, type Child, element } from './element.ts';

/** Shapes of what is to come, so that the page does not jump when it arrives. */
export function loadingView(): HTMLElement {
  const lines = Array.from({ length: 8 }, () => element('span', { class: 'bone' }));
  return element(
    'div',
    { class: 'loading', 'aria-hidden': 'true' },
    element('span', { class: 'bone bone-lead' }),
    ...lines,
  );
}

/** The same for one chart. */
export function loadingChart(): HTMLElement {
  return element('div', { class: 'loading', 'aria-hidden': 'true' }, element('span', { class: 'bone bone-chart' }));
}

/** A part of the page that could not be read, in its own place; the rest of the page stands. */
export function failedPart(name: string, error: unknown, retry: () => void): HTMLElement {
  const { code, status } = asApiError(error);
  return element(
    'section',
    { class: 'chart failed-part' },
    element('h3', {}, name),
    element('p', { class: 'problem', role: 'alert' }, describeError(error)),
    error instanceof UnreachableError
      ? null
      : element('p', { class: 'quiet small' }, 'Code ', element('code', {}, code), ` · status ${status}`),
    element('p', { class: 'actions' }, button({ 'data-focus': `retry ${name}` }, retry, 'Try again')),
  );
}

/** Somebody pressed Cancel before there was anything to show. */
export function cancelledView(name: string, retry: () => void): HTMLElement {
  return element(
    'p',
    { class: 'cancelled quiet' },
    `${name}: cancelled. `,
    button({ 'data-focus': `retry ${name}` }, retry, 'Read it'),
  );
}

interface Emptiness {
  readonly method: Pick<SummaryMethod, 'folded'>;
  readonly filtered: boolean;
  readonly range: string;
  clear(): void;
  longer(): void;
}

/** Nothing to show: nothing was measured, nothing passes the filters, or all of it may not be shown. */
export function emptyView({ method, filtered, range, clear, longer }: Emptiness): HTMLElement {
  if (method.folded != null) return foldedView({ folded: method.folded, filtered, range, clear, longer });
  if (filtered) {
    return stateView(
      'No sample matches',
      `Nothing in ${range} passes these filters.`,
      element(
        'p',
        { class: 'actions' },
        button({ class: 'primary' }, clear, 'Clear filters'),
        button({}, longer, 'Look at 30 days'),
      ),
    );
  }
  return stateView(
    'Nothing measured yet',
    `No browser has sent a sample in ${range}.`,
    element(
      'ol',
      { class: 'steps' },
      element('li', {}, 'Name the apps to watch: ', element('code', {}, 'lastbyte settings apply settings.json')),
      element('li', {}, 'Make a key for browsers: ', element('code', {}, 'lastbyte token create --role ingest')),
      element('li', {}, 'Load the extension, enter this address and the key in its options, and open one of the apps.'),
    ),
    element('p', { class: 'quiet' }, 'The first numbers appear here about a minute later.'),
    element('p', { class: 'actions' }, button({}, longer, 'Look at 30 days')),
  );
}

function foldedView({
  folded,
  filtered,
  range,
  clear,
  longer,
}: Omit<Emptiness, 'method'> & { folded: FoldedCells }): HTMLElement {
  return stateView(
    'Too few browsers to be shown',
    `What was measured in ${range} may not be shown. ${foldedText(folded)}.`,
    element(
      'p',
      {},
      `${filtered ? 'Fewer filters or a' : 'A'} longer range may have more browsers. Administrators see everything.`,
    ),
    element(
      'p',
      { class: 'actions' },
      filtered ? button({ class: 'primary' }, clear, 'Clear filters') : null,
      button({}, longer, 'Look at 30 days'),
    ),
  );
}

export function errorView(error: ApiError, retry: () => void): HTMLElement {
  return stateView(
    error.status >= 500 ? 'The collector could not answer' : 'This view cannot be shown',
    sentence(error.message),
    error.hint === '' ? null : element('p', {}, error.hint),
    element('p', { class: 'quiet small' }, 'Code ', element('code', {}, error.code), ` · status ${error.status}`),
    element('p', { class: 'actions' }, button({ class: 'primary' }, retry, 'Try again')),
  );
}

export function unreachableView(retry: () => void): HTMLElement {
  return stateView(
    'The collector does not answer',
    'It may be restarting, or the network is away. This page tries again by itself.',
    element('p', { class: 'actions' }, button({ class: 'primary' }, retry, 'Try now')),
  );
}

function stateView(title: string, text: string, ...more: Child[]): HTMLElement {
  return element('section', { class: 'state' }, element('h2', {}, title), element('p', {}, text), ...more);
}
