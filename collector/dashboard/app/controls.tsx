import { useRangeFields } from '../components/use-range-fields.ts';
import { SavedViews } from '../saved-views/saved-views.tsx';
import { PRESETS, type RangeChoice, resolveRange } from '../state/time-range.ts';
import { formatPeriod } from '../text/moment.ts';
import { t } from '../text/t.ts';
import { FilterControl } from './filter-control.tsx';
import { usePage } from './page-context.ts';

/** What all parts of a view share: its time and its filters. */
export function Controls() {
  return (
    <div class="controls">
      <RangeControl />
      <SavedViews />
      <FilterControl />
    </div>
  );
}

function RangeControl() {
  const { state, navigate } = usePage();
  const { range } = state;
  const choose = (next: RangeChoice) => navigate({ ...state, range: next });
  return (
    <div class="range">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn otherwise */}
      <div class="segments" role="group" aria-label={t.app.range.label}>
        {PRESETS.map(({ name }) => (
          <button
            key={name}
            type="button"
            class="segment"
            aria-pressed={'preset' in range && range.preset === name}
            onClick={() => choose({ preset: name })}
          >
            {t.app.ranges[name].label}
          </button>
        ))}
        <CustomRange key={JSON.stringify(range)} range={range} choose={choose} />
      </div>
    </div>
  );
}

function CustomRange({ range, choose }: { readonly range: RangeChoice; choose(range: RangeChoice): void }) {
  const { now } = usePage();
  const fixed = !('preset' in range);
  const { field, problem, onSubmit } = useRangeFields(resolveRange(range, now()), choose);
  return (
    <details
      class="custom"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !event.currentTarget.open) return;
        event.currentTarget.open = false;
        event.currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary class={`segment${fixed ? ' pressed' : ''}`}>
        {fixed ? formatPeriod(range.from, range.to) : t.app.range.custom}
      </summary>
      <form class="custom-form" onSubmit={onSubmit}>
        <label for="range-from">{t.app.range.from}</label>
        <input id="range-from" {...field('from')} />
        <label for="range-to">{t.app.range.to}</label>
        <input id="range-to" {...field('to')} />
        <p class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" class="primary">
          {t.app.range.show}
        </button>
      </form>
    </details>
  );
}
