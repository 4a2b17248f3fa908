import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Mark } from '../../charts/drawing.ts';
import { markText, selectedRange, stepFrom } from '../model/mark-steps.ts';
import { formatSpan } from '../text/moment.ts';
import { t } from '../text/t.ts';
import { Swatch } from './legend.tsx';

interface ChartMarksProps {
  /** Of the chart. */
  readonly title: string;
  readonly marks: readonly Mark[];
  /** Shows what is behind a mark. */
  readonly open: ((mark: Mark) => void) | undefined;
  /** Shows the selected time only. */
  readonly zoom: ((range: { readonly from: number; readonly to: number }) => void) | undefined;
}

/** Distance between the tooltip and its mark, px. */
const GAP = 10;

/** The chart that gets the focus when it appears again: a zoom replaces it. */
let focusNext: string | null = null;

/**
 * Tooltip, selection and opening of a chart's marks, by pointer, touch and keyboard. It is a slider over the marks, because
 * screen readers pass arrow keys on to sliders and read each new value once.
 */
export function ChartMarks({ title, marks, open, zoom }: ChartMarksProps) {
  const area = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const [shown, setShown] = useState(false);
  /** The other end of a selection; null without one. */
  const [anchor, setAnchor] = useState<number | null>(null);
  const pressed = useRef<{ readonly at: number; readonly again: boolean } | null>(null);
  const drawn = marks.length > 0;
  useEffect(() => {
    if (!drawn || focusNext !== title) return;
    focusNext = null;
    if (document.activeElement === null || document.activeElement === document.body) area.current?.focus();
  }, [drawn, title]);
  const index = Math.min(at, marks.length - 1);
  const mark = marks[index];
  if (mark === undefined) return null;
  const range = anchor === null || zoom === undefined ? null : selectedRange(marks, anchor, index);
  const selection = range === null ? null : formatSpan(range.from, range.to);
  const text = selection === null ? markText(mark) : t.charts.selected(selection);

  const zoomTo = (selected: NonNullable<typeof range>) => {
    setAnchor(null);
    setShown(false);
    focusNext = title;
    zoom?.(selected);
  };
  const under = ({ clientX, clientY }: PointerEvent) => {
    const corner = area.current?.getBoundingClientRect();
    return corner === undefined ? index : nearest(marks, clientX - corner.left, clientY - corner.top);
  };
  const move = (event: PointerEvent) => {
    if (event.pointerType === 'touch' && pressed.current === null) return;
    setAt(under(event));
    setShown(true);
  };
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const now = under(event);
    // The first touch of a mark shows its tooltip, the second opens it.
    pressed.current = { at: now, again: event.pointerType !== 'touch' || (shown && now === index) };
    setAt(now);
    setShown(true);
    if (zoom === undefined) return;
    setAnchor(now);
    area.current?.setPointerCapture(event.pointerId);
  };
  const release = (event: PointerEvent) => {
    const start = pressed.current;
    pressed.current = null;
    setAnchor(null);
    if (start === null) return;
    const now = under(event);
    const chosen = zoom === undefined || now === start.at ? null : selectedRange(marks, start.at, now);
    const target = marks[now];
    if (chosen !== null) zoomTo(chosen);
    else if (start.again && now === start.at && target?.requests !== undefined) open?.(target);
  };
  const leave = () => {
    if (pressed.current === null) setShown(false);
  };
  const cancel = () => {
    pressed.current = null;
    setAnchor(null);
    setShown(false);
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && (shown || anchor !== null)) {
      event.preventDefault();
      event.stopPropagation();
      if (anchor === null) setShown(false);
      setAnchor(null);
      return;
    }
    if (event.key === 'Enter') {
      // Else the key would also press the button that gets the focus in the dialog.
      event.preventDefault();
      if (range !== null) zoomTo(range);
      else if (mark.requests !== undefined) open?.(mark);
      return;
    }
    const next = stepFrom(marks, index, event.key);
    if (next === null) return;
    event.preventDefault();
    setAnchor(event.shiftKey && zoom !== undefined ? (anchor ?? index) : null);
    setAt(next);
    setShown(true);
  };
  const canOpen = open !== undefined && marks.some(({ requests }) => requests !== undefined);
  return (
    <>
      <div
        ref={area}
        class={`marks${zoom === undefined ? '' : ' zoomable'}${canOpen ? ' openable' : ''}`}
        role="slider"
        tabIndex={0}
        aria-label={t.charts.values(title, canOpen, zoom !== undefined)}
        aria-valuemin={1}
        aria-valuemax={marks.length}
        aria-valuenow={index + 1}
        aria-valuetext={text}
        onPointerMove={move}
        onPointerDown={press}
        onPointerUp={release}
        onPointerLeave={leave}
        onPointerCancel={cancel}
        onKeyDown={key}
        onFocus={() => {
          if (area.current?.matches(':focus-visible')) setShown(true);
        }}
        onBlur={cancel}
      >
        {range === null ? null : <Shade marks={marks} from={anchor ?? index} to={index} kind="selection" />}
        {shown ? <Shade marks={marks} from={index} to={index} kind="current" /> : null}
      </div>
      {shown ? <MarkTip mark={mark} selection={selection} hint={canOpen && mark.requests !== undefined} /> : null}
    </>
  );
}

/** The mark under a point, or the one closest to it. */
function nearest(marks: readonly Mark[], x: number, y: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, { box }] of marks.entries()) {
    const aside = Math.max(box.x - x, 0, x - box.x - box.width);
    const above = Math.max(box.y - y, 0, y - box.y - box.height);
    const distance = aside + above;
    if (distance < least) {
      best = index;
      least = distance;
    }
  }
  return best;
}

interface ShadeProps {
  readonly marks: readonly Mark[];
  readonly from: number;
  readonly to: number;
  readonly kind: 'current' | 'selection';
}

function Shade({ marks, from, to, kind }: ShadeProps) {
  const one = marks[from]?.box;
  const other = marks[to]?.box;
  if (one === undefined || other === undefined) return null;
  const left = Math.min(one.x, other.x);
  const top = Math.min(one.y, other.y);
  const style = {
    left: `${left}px`,
    top: `${top}px`,
    width: `${Math.max(1, one.x + one.width - left, other.x + other.width - left)}px`,
    height: `${Math.max(one.y + one.height, other.y + other.height) - top}px`,
  };
  return <span class={`shade shade-${kind}`} style={style} />;
}

/** Beside a column, below a row. Screen readers get the same text as the slider's value. */
function MarkTip({
  mark: { box, title, lines },
  selection,
  hint,
}: {
  readonly mark: Mark;
  readonly selection: string | null;
  readonly hint: boolean;
}) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const tip = ref.current;
    const frame = tip?.parentElement;
    if (!tip || !frame) return;
    const { width, height } = tip.getBoundingClientRect();
    const room = frame.getBoundingClientRect();
    const column = box.height >= box.width;
    const right = box.x + box.width + GAP;
    const beside = right + width <= room.width ? right : box.x - GAP - width;
    const middle = box.x + Math.min(box.width, room.width) / 2 - width / 2;
    const left = Math.max(0, Math.min(column ? beside : middle, room.width - width));
    const below = box.y + box.height + GAP / 2;
    const fits = room.top + below + height <= window.innerHeight;
    tip.style.left = `${left}px`;
    tip.style.top = `${column ? box.y : fits ? below : box.y - height - GAP / 2}px`;
  });
  return (
    <div ref={ref} class="mark-tip" aria-hidden="true">
      <strong>{selection ?? title}</strong>
      {selection === null ? (
        <ul>
          {lines.map(({ label, value, colour }) => (
            <li key={label}>
              {colour === undefined ? null : <Swatch colour={colour} />}
              <span>{label}</span>
              <b>{value}</b>
            </li>
          ))}
        </ul>
      ) : null}
      {hint && selection === null ? <span class="tip-hint">{t.charts.clickForRequests}</span> : null}
    </div>
  );
}
