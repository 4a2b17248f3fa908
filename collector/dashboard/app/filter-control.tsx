import { useEffect, useState } from 'preact/hooks';
import { type AskedDimension, toExclusionName } from '../../../shared/vocabulary/dimensions.ts';
import { ScrollBox } from '../components/scroll-box.tsx';
import { t } from '../text/t.ts';
import { FilterChips } from './filter-chips.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { usePage } from './page-context.ts';

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

/** A button for each dimension, and the panel with the values of the one that was pressed. */
export function FilterControl() {
  const { state, navigate } = usePage();
  const [open, setOpen] = useState<{ readonly dimension: AskedDimension; readonly anchor: HTMLElement } | null>(null);
  useEffect(() => {
    const close = () => setOpen(null);
    window.addEventListener('popstate', close);
    return () => window.removeEventListener('popstate', close);
  }, []);
  const offered = FILTERS.filter((dimension) => !(dimension === 'host' && state.view === 'host'));
  return (
    <>
      <ScrollBox class="filters" role="group" aria-label={t.app.filters.label}>
        {offered.map((dimension) => {
          const active = dimension in state.filters || toExclusionName(dimension) in state.filters;
          return (
            <button
              key={dimension}
              type="button"
              class={`filter${active ? ' active' : ''}`}
              aria-haspopup="dialog"
              data-filter={dimension}
              onClick={(event) => setOpen({ dimension, anchor: event.currentTarget })}
            >
              {t.dimensions[dimension]}
              <span class="caret" aria-hidden="true" />
            </button>
          );
        })}
        {Object.keys(state.filters).length > 0 ? (
          <button type="button" class="plain" onClick={() => navigate({ ...state, filters: {} })}>
            {t.app.filters.clear}
          </button>
        ) : null}
      </ScrollBox>
      <FilterChips />
      {open === null ? null : (
        <FilterPanel key={open.dimension} {...open} close={() => setOpen((now) => (now === open ? null : now))} />
      )}
    </>
  );
}
