/**
 * Says on which sides a box that scrolls sideways has more: the style sheet fades that side. Overlaid scrollbars show
 * nothing until somebody scrolls, so a column or a view that is cut off would otherwise not be looked for.
 */
export function hintSides(box: HTMLElement): HTMLElement {
  const update = () => {
    const before = box.scrollLeft > 1;
    const after = box.scrollWidth - box.clientWidth - box.scrollLeft > 1;
    box.dataset.more = [before ? 'before' : '', after ? 'after' : ''].filter((side) => side !== '').join(' ');
  };
  new ResizeObserver(update).observe(box);
  // What is drawn anew changes the width of the content, not of the box.
  new MutationObserver(update).observe(box, { childList: true });
  box.addEventListener('scroll', update, { passive: true });
  return box;
}
