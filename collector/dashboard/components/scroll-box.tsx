import type { HTMLAttributes, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A box that scrolls sideways: see `useSideHints`. */
export function ScrollBox(props: HTMLAttributes<HTMLDivElement>) {
  const box = useRef<HTMLDivElement>(null);
  useSideHints(box);
  return <div ref={box} {...props} />;
}

/**
 * Marks the sides on which a horizontally scrolling box has more content, which the style sheet fades. Overlay scrollbars
 * are invisible until scrolled, so nothing else would show that content is cut off.
 */
export function useSideHints(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const update = () => {
      const before = box.scrollLeft > 1;
      const after = box.scrollWidth - box.clientWidth - box.scrollLeft > 1;
      box.dataset.more = [before ? 'before' : '', after ? 'after' : ''].filter((side) => side !== '').join(' ');
    };
    const sizes = new ResizeObserver(update);
    const watch = () => {
      for (const sized of [box, ...box.children]) sizes.observe(sized);
    };
    const children = new MutationObserver(watch);
    watch();
    children.observe(box, { childList: true });
    box.addEventListener('scroll', update, { passive: true });
    return () => {
      sizes.disconnect();
      children.disconnect();
      box.removeEventListener('scroll', update);
    };
  }, [ref]);
}
