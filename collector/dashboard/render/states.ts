import type { FoldedCells, SummaryMethod } from '../../analysis/summary/summary-document.ts';
import { foldedText } from '../../analysis/text/words.ts';
import { type ApiError, UnreachableError } from '../api/api-error.ts';
import { asApiError, describeError, sentence } from '../api/describe-error.ts';
import { button, type Child, element } from './element.ts';

/** Placeholders, so that the page does not jump when the content arrives. */
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

/** A part of the page that failed to load; the rest of the page is unaffected. */
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

/** Shown after a cancel before the first answer. */
export function cancelledView(name: string, retry: () => void): HTMLElement {
  return element(
    'p',
    { class: 'cancelled quiet' },
    `${name}: cancelled. `,
    button({ 'data-focus': `retry ${name}` }, retry, 'Load'),
  );
}

interface Emptiness {
  readonly method: Pick<SummaryMethod, 'folded'>;
  readonly filtered: boolean;
  readonly range: string;
  clear(): void;
  longer(): void;
}

/** Nothing was measured, nothing matches the filters, or nothing may be shown to this role. */
export function emptyView({ method, filtered, range, clear, longer }: Emptiness): HTMLElement {
  if (method.folded != null) return foldedView({ folded: method.folded, filtered, range, clear, longer });
  if (filtered) {
    return stateView(
      'No samples match',
      `Nothing in ${range} matches these filters.`,
      element(
        'p',
        { class: 'actions' },
        button({ class: 'primary' }, clear, 'Clear filters'),
        button({}, longer, 'Show 30 days'),
      ),
    );
  }
  return stateView(
    'Nothing measured yet',
    `No browser has sent a sample in ${range}.`,
    element(
      'ol',
      { class: 'steps' },
      element('li', {}, 'Configure the apps to watch: ', element('code', {}, 'lastbyte settings apply settings.json')),
      element('li', {}, 'Create a key for browsers: ', element('code', {}, 'lastbyte token create --role ingest')),
      element(
        'li',
        {},
        'Install the extension, enter this address and the key in its options, and open one of the apps.',
      ),
    ),
    element('p', { class: 'quiet' }, 'The first data appear here about a minute later.'),
    element('p', { class: 'actions' }, button({}, longer, 'Show 30 days')),
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
    'Too few browsers',
    `The data in ${range} come from too few browsers to be shown. ${foldedText(folded)}.`,
    element(
      'p',
      {},
      `${filtered ? 'Fewer filters or a' : 'A'} longer range may include more browsers. Administrators see everything.`,
    ),
    element(
      'p',
      { class: 'actions' },
      filtered ? button({ class: 'primary' }, clear, 'Clear filters') : null,
      button({}, longer, 'Show 30 days'),
    ),
  );
}

export function errorView(error: ApiError, retry: () => void): HTMLElement {
  return stateView(
    error.status >= 500 ? 'The collector reported an error' : 'This view cannot be shown',
    sentence(error.message),
    error.hint === '' ? null : element('p', {}, error.hint),
    element('p', { class: 'quiet small' }, 'Code ', element('code', {}, error.code), ` · status ${error.status}`),
    element('p', { class: 'actions' }, button({ class: 'primary' }, retry, 'Try again')),
  );
}

export function unreachableView(retry: () => void): HTMLElement {
  return stateView(
    'The collector does not respond',
    'It may be restarting, or the network is down. This page retries automatically.',
    element('p', { class: 'actions' }, button({ class: 'primary' }, retry, 'Retry now')),
  );
}

function stateView(title: string, text: string, ...more: Child[]): HTMLElement {
  return element('section', { class: 'state' }, element('h2', {}, title), element('p', {}, text), ...more);
}
