import { Spoken } from '../components/spoken.tsx';
import { useRangeFields } from '../components/use-range-fields.ts';
import { GROUPINGS, toGrouping } from '../model/groupings.ts';
import { COLUMN_GROUPS } from '../overview/table-columns.ts';
import { SavedViews } from '../saved-views/saved-views.tsx';
import { COLUMN_IDS } from '../state/column-ids.ts';
import { PRESETS, type RangeChoice, resolveRange } from '../state/time-range.ts';
import { withOwn } from '../state/view-state.ts';
import { formatPeriod } from '../text/moment.ts';
import { t } from '../text/t.ts';
import { FilterControl } from './filter-control.tsx';
import { usePage } from './page-context.ts';
import type { ControlName } from './view.ts';

/** The controls that the view asks for. The sort control is shown where rows are cards and have no column headings. */
export function Controls({ names }: { readonly names: readonly ControlName[] }) {
  return (
    <div class="controls">
      {names.includes('range') ? <RangeControl /> : null}
      <SavedViews />
      {names.includes('group') ? <GroupControl /> : null}
      {names.includes('filters') ? <FilterControl /> : null}
      {names.includes('sort') ? <SortControl /> : null}
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

interface CustomRangeProps {
  readonly range: RangeChoice;
  choose(range: RangeChoice): void;
}

function CustomRange({ range, choose }: CustomRangeProps) {
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

function GroupControl() {
  const { state, navigate } = usePage();
  return (
    <div class="group-control">
      <label for="group">{t.overview.group.by}</label>
      <select
        id="group"
        value={toGrouping(state)}
        onChange={({ currentTarget: { value } }) =>
          navigate(withOwn(state, { group: value === GROUPINGS[0] ? '' : value }))
        }
      >
        {GROUPINGS.map((name) => (
          <option key={name} value={name}>
            {t.dimensions[name]}
          </option>
        ))}
      </select>
    </div>
  );
}

function SortControl() {
  const { state, navigate } = usePage();
  const { sort } = state;
  return (
    <div class="sort-control">
      <label for="sort">{t.app.sort.label}</label>
      <select
        id="sort"
        value={sort.column}
        onChange={(event) => {
          const column = COLUMN_IDS.find((id) => id === event.currentTarget.value);
          if (column !== undefined) navigate({ ...state, sort: { ...sort, column } });
        }}
      >
        {COLUMN_GROUPS.flatMap((group) =>
          group.columns.map(({ id, label }) => (
            <option key={id} value={id}>
              {group.columns.length === 1 ? group.label : t.app.sort.column(group.label, group.basis, label)}
            </option>
          )),
        )}
      </select>
      <button type="button" onClick={() => navigate({ ...state, sort: { ...sort, descending: !sort.descending } })}>
        <span aria-hidden="true">{sort.descending ? '↓' : '↑'}</span>
        <Spoken>{sort.descending ? t.app.sort.descending : t.app.sort.ascending}</Spoken>
      </button>
    </div>
  );
}
