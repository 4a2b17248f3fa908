import { useState } from 'preact/hooks';

/** By chart. It outlives the chart, which another range or filter replaces. */
const hiddenIn = new Map<string, ReadonlySet<string>>();

/** The series that a chart's legend has switched off. */
export function useHiddenSeries(chart: string): readonly [ReadonlySet<string>, (series: string) => void] {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => hiddenIn.get(chart) ?? new Set());
  const toggle = (series: string) => {
    const next = new Set(hidden);
    if (!next.delete(series)) next.add(series);
    hiddenIn.set(chart, next);
    setHidden(next);
  };
  return [hidden, toggle];
}
