import { useEffect, useState } from 'preact/hooks';
import { t } from '../text/t.ts';
import { FilterChips } from './filter-chips.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { usePage } from './page-context.ts';

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
