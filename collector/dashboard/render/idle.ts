/** Even a page that is never idle goes on after so long, ms. */
const PATIENCE = 300;

/** Safari has no idle periods: https://developer.mozilla.org/docs/Web/API/Window/requestIdleCallback */
const callIdle: (act: (deadline: Pick<IdleDeadline, 'timeRemaining'>) => void) => void =
  'requestIdleCallback' in window
    ? (act) => void window.requestIdleCallback(act, { timeout: PATIENCE })
    : (act) => void setTimeout(() => act({ timeRemaining: () => 10 }), 20);

/** Resolves when what was drawn is on the screen and the page has nothing better to do; with the time left, ms. */
export function idle(): Promise<() => number> {
  return new Promise((resolve) => callIdle((deadline) => resolve(() => deadline.timeRemaining())));
}
