import { element } from './element.ts';

/** Distance between the tooltip and its element, px. */
const GAP = 6;

/**
 * One tooltip for the whole page: any element with `data-tip` shows that text on hover and on focus. Screen readers get the
 * text from the element itself, so the tooltip is hidden from them.
 */
export function installTooltip(root: HTMLElement): void {
  const tip = element('div', { class: 'tip', popover: 'manual', 'aria-hidden': 'true' });
  document.body.append(tip);
  let owner: Element | null = null;

  const show = (target: EventTarget | null) => {
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
  const hide = () => {
    owner = null;
    if (tip.matches(':popover-open')) tip.hidePopover();
  };

  // Not `pointerover`: it does not fire again after a scroll has hidden the tooltip.
  root.addEventListener('pointermove', (event) => show(event.target));
  root.addEventListener('focusin', (event) => show(event.target));
  root.addEventListener('focusout', hide);
  root.addEventListener('pointerleave', hide);
  window.addEventListener('scroll', hide, { capture: true, passive: true });
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
  });
}

function place(tip: HTMLElement, anchor: DOMRect): void {
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.max(GAP, Math.min(anchor.left + anchor.width / 2 - width / 2, window.innerWidth - width - GAP));
  const above = anchor.top - height - GAP;
  tip.style.left = `${left}px`;
  tip.style.top = `${above >= GAP ? above : anchor.bottom + GAP}px`;
}
