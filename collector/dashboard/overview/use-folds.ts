import { useMemo, useState } from 'preact/hooks';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { usePage } from '../app/page-context.ts';
import type { Grouping } from '../model/groupings.ts';
import type { ViewState } from '../state/view-state.ts';

/** Groups that were opened or closed by hand, and those that show all of their rows; kept until the page is reloaded. */
const toggled = new Set<string>();
const whole = new Set<string>();

/** A group's, or that of the list of groups (null). */
function keyOf(grouping: string, group: string | null): string {
  return `${grouping} ${group ?? ''}`;
}

/** Whether a group is likely to be open, before the groups are known. */
export function expectsOpen({ own }: Pick<ViewState, 'own'>, grouping: Grouping): boolean {
  return own.open === 'all' || [...toggled].some((key) => key.startsWith(keyOf(grouping, null)));
}

/** Which groups are open, and which show all of their rows: `?open=all`, the only one, or what was opened by hand. */
export function useFolds(grouping: Grouping, groups: readonly SummaryCell[]) {
  const { state } = usePage();
  const [version, setVersion] = useState(0);
  const all = state.own.open === 'all';
  const open = all || groups.length === 1;
  const isOpen = (group: string) => open !== toggled.has(keyOf(grouping, group));
  const changes = useMemo(() => {
    const count = () => setVersion((before) => before + 1);
    return {
      toggle(group: string) {
        const key = keyOf(grouping, group);
        if (!toggled.delete(key)) toggled.add(key);
        count();
      },
      showAll(group: string | null) {
        whole.add(keyOf(grouping, group));
        count();
      },
      reset() {
        toggled.clear();
        whole.clear();
        count();
      },
    };
  }, [grouping]);
  return {
    ...changes,
    /** Counts the changes by hand. */
    version,
    isOpen,
    isWhole: (group: string | null) => all || whole.has(keyOf(grouping, group)),
    anyOpen: groups.some((cell) => isOpen(cell[grouping] ?? '')),
  };
}
