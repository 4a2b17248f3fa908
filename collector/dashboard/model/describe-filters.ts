import { type Filters, splitFilterName } from '../../../shared/vocabulary/dimensions.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import { FILTER_NAMES } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { type AppNames, valueLabel } from './value-label.ts';

/** The filters in force, each in words: `Site is not Berlin`. */
export function describeFilters(filters: Filters, names: AppNames) {
  return FILTER_NAMES.flatMap((name) => {
    const { dimension, excludes } = splitFilterName(name);
    const words = excludes ? t.app.filters.isNot : t.app.filters.is;
    return (filters[name] ?? []).map((value) => ({
      name,
      value,
      excludes,
      text: words(wordFor(t.dimensions, dimension), valueLabel(dimension, value, names)),
    }));
  });
}
