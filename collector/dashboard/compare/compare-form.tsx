import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { EvidenceDocument } from '../../questions/evidence.ts';
import { type PageContext, usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import { Select } from '../components/select.tsx';
import { useRangeFields } from '../components/use-range-fields.ts';
import { facetQuery, viewKey, viewQuery } from '../model/summary-queries.ts';
import { valueLabel } from '../model/value-label.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { resolveRange } from '../state/time-range.ts';
import { withOwn } from '../state/view-state.ts';
import { COMPARE } from '../text/compare.ts';
import { cellChoices, sideOptions, versionChoices } from './compare-choices.ts';
import {
  askedComparison,
  COMPARABLE,
  type Comparable,
  earlierKind,
  GROUPINGS,
  ownBefore,
  parseComparison,
  rangeBefore,
  TIMES,
  weekBefore,
} from './compare-question.ts';

const text = COMPARE.form;

type ComparedDimension = Exclude<Comparable, 'range'>;

/** The form that chooses what to compare; its whole state is in the URL. */
export function CompareForm() {
  const { what, time, by, set } = useComparison();
  return (
    <section class="panel compare-form" aria-label={text.label}>
      <div class="compare-sides">
        <Choose
          id="compare-what"
          label={text.what}
          options={named(COMPARABLE, COMPARE.comparable)}
          chosen={what}
          choose={(name) => set({ what: name, a: '', b: '' })}
        />
        {what === 'range' ? <RangeSides /> : <ValueSides key={what} what={what} />}
        <Choose
          id="compare-time"
          label={text.time}
          options={named(TIMES, COMPARE.times)}
          chosen={time}
          choose={(name) => set({ time: name === 'ttlb' ? '' : name })}
        />
        <Choose
          id="compare-by"
          label={text.by}
          options={named(GROUPINGS, COMPARE.groupings)}
          chosen={by}
          choose={(name) => set({ by: name === 'none' ? '' : name })}
        />
      </div>
    </section>
  );
}

function named<Name extends string>(names: readonly Name[], labels: Readonly<Record<Name, string>>) {
  return names.map((name) => [name, labels[name]] as const);
}

/** The comparison in the URL, and how to change it there. */
function useComparison() {
  const { state, navigate } = usePage();
  const set = (changes: Readonly<Record<string, string>>) =>
    navigate(withOwn({ ...state, own: askedComparison(state.own) }, changes));
  return { ...parseComparison(state.own), set };
}

/** The later range is the view's own; the earlier one defaults to the same length right before it. */
function RangeSides() {
  const { state, now } = usePage();
  const { before, set } = useComparison();
  const [custom, setCustom] = useState(false);
  const range = resolveRange(state.range, now());
  const kind = custom ? 'own' : earlierKind(before, range);
  return (
    <>
      <Field id="compare-before" label={text.earlier}>
        <Select
          id="compare-before"
          value={kind}
          options={(['previous', 'week', 'own'] as const).map((name) => [name, text[name]])}
          choose={(value) => {
            setCustom(value === 'own');
            if (value === 'previous') set({ beforeFrom: '', beforeTo: '' });
            if (value === 'week') set(ownBefore(weekBefore(range)));
          }}
        />
      </Field>
      {kind === 'own' ? (
        <EarlierRange
          key={JSON.stringify(before)}
          range={before ?? rangeBefore(range)}
          focused={custom}
          choose={(chosen) => {
            setCustom(false);
            set(ownBefore(chosen));
          }}
        />
      ) : null}
    </>
  );
}

interface EarlierRangeProps {
  readonly range: TimeRange;
  readonly focused: boolean;
  choose(range: TimeRange): void;
}

function EarlierRange({ range, focused, choose }: EarlierRangeProps) {
  const { field, problem, onSubmit } = useRangeFields(range, choose);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (focused) form.current?.querySelector('input')?.focus();
  }, [focused]);
  return (
    <form ref={form} class="compare-range" onSubmit={onSubmit}>
      {(['from', 'to'] as const).map((end) => (
        <Field key={end} id={`compare-${end}`} label={text[end]}>
          <input id={`compare-${end}`} {...field(end)} />
        </Field>
      ))}
      <button type="submit">{text.submit}</button>
      <p class="problem" role="alert">
        {problem}
      </p>
    </form>
  );
}

/** Two values of one dimension. */
function ValueSides({ what }: { readonly what: ComparedDimension }) {
  const page = usePage();
  const { set, ...comparison } = useComparison();
  const { state } = useQuery<readonly string[]>({
    key: `compare values ${what} ${viewKey(page.state)}`,
    read: (signal) => readChoices(page, what, signal),
  });
  const names = useAppNames();
  const choices = state.last?.value ?? [];
  return (
    <>
      {(['a', 'b'] as const).map((side) => (
        <Choose
          key={side}
          id={`compare-${side}`}
          label={side === 'a' ? text.sides.a(what) : text.sides.b}
          options={sideOptions(choices, comparison[side], (value) => valueLabel(what, value, names))}
          chosen={comparison[side] ?? ''}
          choose={(value) => set({ [side]: value })}
        />
      ))}
    </>
  );
}

async function readChoices(
  { client, state, now }: PageContext,
  what: ComparedDimension,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (what === 'browserVersion' || what === 'extension') {
    const query = viewQuery(state, now(), { by: ['target'] });
    const { fleet } = await client.read<EvidenceDocument>(`/evidence?${query}`, signal);
    return versionChoices(fleet?.versions ?? [], what);
  }
  const { cells } = await client.summary(facetQuery(state, what, now()), signal);
  return cellChoices(cells, what);
}

/** A select fires `change` for each arrow or letter key, before the user has reached the wanted option, ms. */
const TYPING = 500;

interface ChooseProps {
  readonly id: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly chosen: string;
  choose(name: string): void;
}

/** Acts at once on a choice by mouse, and after a pause on one by keyboard. */
function Choose({ id, label, options, chosen, choose }: ChooseProps) {
  const byKey = useRef(false);
  // Another select may have changed the URL by the end of the pause.
  const newest = useRef(choose);
  newest.current = choose;
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => {
      setTyped(null);
      newest.current(typed);
    }, TYPING);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <Field id={id} label={label}>
      <Select
        id={id}
        value={typed ?? chosen}
        options={options}
        onKeyDown={({ key }) => {
          byKey.current = key !== 'Enter';
        }}
        onPointerDown={() => {
          byKey.current = false;
        }}
        choose={(value) => {
          setTyped(byKey.current ? value : null);
          if (!byKey.current) choose(value);
        }}
      />
    </Field>
  );
}

function Field({ id, label, children }: { id: string; label: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
    </div>
  );
}
