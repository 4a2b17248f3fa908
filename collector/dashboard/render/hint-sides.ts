/**
 * Marks the sides on which a horizontally scrolling box has more content, which the style sheet fades. Overlay scrollbars
 * are invisible until scrolled, so nothing else would show that content is cut off.
 */
export function hintSides(box: HTMLElement): HTMLElement {
  const update = () => {
    const before = box.scrollLeft > 1;
    const after = box.scrollWidth - box.clientWidth - box.scrollLeft > 1;
    box.dataset.more = [before ? 'before' : '', after ? 'after' : ''].filter((side) => side !== '').join(' ');
  };
  new ResizeObserver(update).observe(box);
  // Redrawing changes the width of the content, not of the box.
  new MutationObserver(update).observe(box, { childList: true });
  box.addEventListener('scroll', update, { passive: true });
  return box;
}
