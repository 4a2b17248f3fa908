import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { describeFilters } from '../model/describe-filters.ts';
import { t } from '../text/t.ts';
import { FilterPanel } from './filter-panel.tsx';
import { usePage } from './page-context.ts';
import { useAppNames } from './use-app-names.ts';

const texts = t.app.filters;

/** One button that adds a filter, and the filters in force. */
export function FilterControl() {
  const { state, navigate } = usePage();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const close = () => setAnchor(null);
    window.addEventListener('popstate', close);
    return () => window.removeEventListener('popstate', close);
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn otherwise
    <div class="filters" role="group" aria-label={texts.label}>
      <button
        type="button"
        class="filter"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        data-add-filter
        onClick={(event) => setAnchor(anchor === null ? event.currentTarget : null)}
      >
        <span aria-hidden="true">+</span>
        {texts.add}
      </button>
      <FilterChips />
      {Object.keys(state.filters).length > 0 ? (
        <button type="button" class="plain" onClick={() => navigate({ ...state, filters: {} })}>
          {texts.clear}
        </button>
      ) : null}
      {anchor === null ? null : <FilterPanel anchor={anchor} close={() => setAnchor(null)} />}
    </div>
  );
}

/** The filters in force, each a button that removes it: with a click, Enter, Delete or Backspace. */
export function FilterChips() {
  const { state, navigate } = usePage();
  const names = useAppNames();
  const list = useRef<HTMLUListElement>(null);
  // The button is gone afterwards: the focus goes to the next one, or to the filters.
  const removed = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (removed.current === null) return;
    const left = list.current?.querySelectorAll<HTMLElement>('button');
    const next = left?.[Math.min(removed.current, left.length - 1)];
    (next ?? document.querySelector<HTMLElement>('[data-add-filter]'))?.focus();
    removed.current = null;
  });
  const chips = describeFilters(state.filters, names);
  if (chips.length === 0) return null;
  const remove = (index: number) => {
    const chip = chips[index];
    if (chip === undefined) return;
    removed.current = index;
    const { [chip.name]: values = [], ...others } = state.filters;
    const left = values.filter((value) => value !== chip.value);
    navigate({ ...state, filters: left.length === 0 ? others : { ...others, [chip.name]: left } });
  };
  return (
    <ul ref={list} class="chips" aria-label={texts.chips}>
      {chips.map(({ name, value, excludes, text }, index) => (
        <li key={`${name} ${value}`}>
          <button
            type="button"
            class={`chip${excludes ? ' excludes' : ''}`}
            aria-label={texts.remove(text)}
            onClick={() => remove(index)}
            onKeyDown={(event) => {
              if (event.key === 'Delete' || event.key === 'Backspace') remove(index);
            }}
          >
            <span>{text}</span>
            <span class="chip-remove" aria-hidden="true">
              ×
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
