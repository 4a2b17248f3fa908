import { useState } from 'preact/hooks';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { toField } from '../state/time-range.ts';
import { t } from '../text/t.ts';

/** The two fields of a form that chooses a range, in local time. */
export function useRangeFields({ from, to }: TimeRange, choose: (range: TimeRange) => void) {
  const [fields, setFields] = useState(() => ({ from: toField(from), to: toField(to) }));
  const [problem, setProblem] = useState('');
  return {
    problem,
    onSubmit(event: Event) {
      event.preventDefault();
      const chosen = { from: Date.parse(fields.from), to: Date.parse(fields.to) };
      if (chosen.from < chosen.to) choose(chosen);
      else setProblem(t.app.range.endBeforeStart);
    },
    /** Properties of the `<input>` of one end. */
    field: (end: 'from' | 'to') => ({
      type: 'datetime-local' as const,
      required: true,
      value: fields[end],
      onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
        setFields({ ...fields, [end]: currentTarget.value }),
    }),
  };
}
