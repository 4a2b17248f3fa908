import { useEffect, useRef } from 'preact/hooks';

/** Distance between the tooltip and its element, px. */
const GAP = 6;

/**
 * One tooltip for the whole page: any element with `data-tip` shows that text on hover and on focus. Screen readers get the
 * text from the element itself, so the tooltip is hidden from them.
 */
export function Tooltip() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => (ref.current === null ? undefined : installTooltip(ref.current)), []);
  return <div ref={ref} class="tip" popover="manual" aria-hidden="true" />;
}

function installTooltip(tip: HTMLElement): () => void {
  let owner: Element | null = null;
  const hide = () => {
    owner = null;
    if (tip.matches(':popover-open')) tip.hidePopover();
  };
  const show = ({ target }: Event) => {
    const found = target instanceof Element ? target.closest('[data-tip]') : null;
    if (found === owner) return;
    hide();
    const text = found?.getAttribute('data-tip') ?? '';
    if (found === null || text === '') return;
    owner = found;
    tip.textContent = text;
    tip.showPopover();
    place(tip, found.getBoundingClientRect());
  };
  const listening = new AbortController();
  const on = { signal: listening.signal };
  // Not `pointerover`: it does not fire again after a scroll has hidden the tooltip.
  document.body.addEventListener('pointermove', show, on);
  document.body.addEventListener('focusin', show, on);
  document.body.addEventListener('focusout', hide, on);
  document.body.addEventListener('pointerleave', hide, on);
  window.addEventListener('scroll', hide, { capture: true, passive: true, ...on });
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape') hide();
    },
    on,
  );
  return () => listening.abort();
}

function place(tip: HTMLElement, anchor: DOMRect): void {
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.max(GAP, Math.min(anchor.left + anchor.width / 2 - width / 2, window.innerWidth - width - GAP));
  const above = anchor.top - height - GAP;
  tip.style.left = `${left}px`;
  tip.style.top = `${above >= GAP ? above : anchor.bottom + GAP}px`;
}
