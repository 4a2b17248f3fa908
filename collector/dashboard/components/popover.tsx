import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Distance from the edge of the window, px. */
const EDGE = 8;
const LEAST_HEIGHT = 160;

interface PopoverProps {
  /** The button that opened it; it gets the focus back. */
  readonly anchor: HTMLElement;
  readonly label: string;
  /** Its content is there, and gets the focus. */
  readonly loaded?: boolean;
  /** It is closed: stop rendering it. */
  onClose(): void;
  readonly children: ComponentChildren;
}

/** A panel below a button while it is rendered. Escape and a click elsewhere close it. */
export function Popover({ anchor, label, loaded = true, onClose, children }: PopoverProps) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    panel.current?.showPopover();
    const { current } = panel;
    return () => {
      if (current?.contains(document.activeElement)) anchor.focus();
    };
  }, [anchor]);
  useLayoutEffect(() => {
    if (loaded) panel.current?.querySelector<HTMLElement>('a, button, input')?.focus();
  }, [loaded]);
  useLayoutEffect(() => {
    if (panel.current !== null) place(panel.current, anchor);
  });
  return (
    <div
      ref={panel}
      class="filter-panel"
      popover="auto"
      role="dialog"
      aria-label={label}
      onToggle={(event) => {
        if ((event as unknown as ToggleEvent).newState !== 'closed') return;
        if (document.activeElement === document.body) anchor.focus();
        onClose();
      }}
    >
      {children}
    </div>
  );
}

function place(panel: HTMLElement, anchor: HTMLElement): void {
  const box = anchor.getBoundingClientRect();
  panel.style.left = `${Math.max(EDGE, Math.min(box.left, window.innerWidth - panel.offsetWidth - EDGE))}px`;
  panel.style.top = `${box.bottom + 4}px`;
  panel.style.maxHeight = `${Math.max(LEAST_HEIGHT, window.innerHeight - box.bottom - 2 * EDGE)}px`;
}
