import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type AskedDimension, isFewBrowsers, toExclusionName } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { describeError } from '../api/describe-error.ts';
import { Popover } from '../components/popover.tsx';
import { facetQuery } from '../model/summary-queries.ts';
import { valueLabel } from '../model/value-label.ts';
import { withChoice } from '../state/view-state.ts';
import { formatCount } from '../text/format.ts';
import { t } from '../text/t.ts';
import { usePage } from './page-context.ts';
import { useAppNames } from './use-app-names.ts';

const texts = t.app.filters;

/** With this many values there is a search field. */
const SEARCHED_FROM = 8;

/** Dimensions offered as filters. Handshake is left to the API: browsers rarely report it. */
const FILTERS: readonly AskedDimension[] = [
  'target',
  'host',
  'type',
  'site',
  'template',
  'browser',
  'connection',
  'protocol',
  'scheme',
  'scenario',
  'source',
];

type Answer =
  | { readonly cells: readonly SummaryCell[]; readonly chosen: readonly string[] }
  | { readonly error: unknown };

/** What to filter by, then its values, below the button that opened the panel. */
export function FilterPanel({ anchor, close }: { readonly anchor: HTMLElement; close(): void }) {
  const { state, client, now } = usePage();
  const [dimension, setDimension] = useState<AskedDimension | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: queried once, so that a choice does not change the options
  useEffect(() => {
    setAnswer(null);
    if (dimension === null) return;
    let current = true;
    client
      .summary(facetQuery(state, dimension, now()))
      .then(({ cells }) => ({
        cells,
        chosen: [...(state.filters[dimension] ?? []), ...(state.filters[toExclusionName(dimension)] ?? [])],
      }))
      .catch((error: unknown) => ({ error }))
      .then((next) => {
        if (current) setAnswer(next);
      });
    return () => {
      current = false;
    };
  }, [dimension]);
  if (dimension === null) {
    return (
      <Popover key="dimensions" anchor={anchor} label={texts.add} onClose={close}>
        <ul class="filter-dimensions">
          {FILTERS.filter((name) => !(name === 'host' && state.view === 'host')).map((name) => (
            <li key={name}>
              <button type="button" class="plain" data-filter={name} onClick={() => setDimension(name)}>
                {t.dimensions[name]}
              </button>
            </li>
          ))}
        </ul>
      </Popover>
    );
  }
  return (
    <Popover anchor={anchor} label={texts.by(t.dimensions[dimension])} loaded={answer !== null} onClose={close}>
      {answer === null ? (
        <p class="quiet">{texts.loading}</p>
      ) : 'error' in answer ? (
        <p class="problem" role="alert">
          {describeError(answer.error)}
        </p>
      ) : (
        <Choices {...answer} dimension={dimension} close={close} other={() => setDimension(null)} />
      )}
    </Popover>
  );
}

interface ChoicesProps {
  readonly dimension: AskedDimension;
  readonly cells: readonly SummaryCell[];
  /** Offered even if no sample has these values. */
  readonly chosen: readonly string[];
  close(): void;
  /** Back to what can be filtered by. */
  other(): void;
}

function Choices({ dimension, cells, chosen, close, other }: ChoicesProps): ComponentChildren {
  const names = useAppNames();
  const [search, setSearch] = useState('');
  const counts = new Map<string, number>(chosen.map((value) => [value, 0]));
  for (const cell of cells) {
    if (isFewBrowsers(cell)) continue;
    const value = cell[dimension];
    if (typeof value === 'string' && value !== '') counts.set(value, cell.samples);
  }
  const label = t.dimensions[dimension];
  const hidden = cells.some(isFewBrowsers);
  if (counts.size === 0) {
    return (
      <>
        <p class="quiet">{hidden ? texts.tooFewBrowsers : texts.noneKnown(label)}</p>
        <button type="button" onClick={other}>
          {texts.other}
        </button>
      </>
    );
  }
  const wanted = search.trim().toLowerCase();
  const choices = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([value, count]) => ({ value, count, word: valueLabel(dimension, value, names) }))
    .filter(({ value, word }) => [value, word].some((text) => text.toLowerCase().includes(wanted)));
  return (
    <>
      <div class="filter-head">
        <strong>{label}</strong>
        <span class="quiet small">{texts.samples}</span>
      </div>
      {counts.size < SEARCHED_FROM ? null : (
        <input
          type="search"
          class="filter-search"
          aria-label={texts.search(label)}
          placeholder={texts.search(label)}
          value={search}
          onInput={({ currentTarget: { value } }) => setSearch(value)}
        />
      )}
      <div class="choices">
        {choices.map((choice) => (
          <Choice key={choice.value} dimension={dimension} {...choice} />
        ))}
      </div>
      {choices.length === 0 ? <p class="quiet">{texts.noMatch}</p> : null}
      {hidden ? <p class="quiet small">{texts.someHidden}</p> : null}
      <div class="filter-foot">
        <button type="button" class="primary" onClick={close}>
          {texts.done}
        </button>
        <button type="button" class="plain" onClick={other}>
          {texts.other}
        </button>
      </div>
    </>
  );
}

interface ChoiceProps {
  readonly dimension: AskedDimension;
  readonly value: string;
  readonly word: string;
  /** Samples with this value. */
  readonly count: number;
}

/** A value to include, or to exclude. */
function Choice({ dimension, value, word, count }: ChoiceProps) {
  const { state, navigate } = usePage();
  const included = (state.filters[dimension] ?? []).includes(value);
  const excluded = (state.filters[toExclusionName(dimension)] ?? []).includes(value);
  return (
    <div class="choice">
      <label class="choice-label">
        <input
          type="checkbox"
          checked={included}
          onChange={() => navigate(withChoice(state, dimension, value, included ? null : 'included'))}
        />
        <span class="choice-word">{word}</span>
      </label>
      <span class="quiet">{formatCount(count)}</span>
      <button
        type="button"
        class="exclude"
        aria-pressed={excluded}
        aria-label={texts.excludeValue(word)}
        onClick={() => navigate(withChoice(state, dimension, value, excluded ? null : 'excluded'))}
      >
        {texts.exclude}
      </button>
    </div>
  );
}
