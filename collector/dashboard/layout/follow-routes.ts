/** A plain click on `<a data-route>` does not reload the page. `follow` returns false to leave it to the browser. */
export function followRoutes(follow: (search: string) => boolean): void {
  document.addEventListener('click', (event) => {
    const followed = event.target instanceof Element ? event.target.closest('a[data-route]') : null;
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!(followed instanceof HTMLAnchorElement) || !plain) return;
    if (follow(followed.search)) event.preventDefault();
  });
}
