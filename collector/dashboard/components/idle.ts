/** Continue after this time even if the page is never idle, ms. */
const PATIENCE = 300;

/** Safari lacks requestIdleCallback: https://developer.mozilla.org/docs/Web/API/Window/requestIdleCallback */
const callIdle: (act: (deadline: Pick<IdleDeadline, 'timeRemaining'>) => void) => void =
  'requestIdleCallback' in window
    ? (act) => void window.requestIdleCallback(act, { timeout: PATIENCE })
    : (act) => void setTimeout(() => act({ timeRemaining: () => 10 }), 20);

/** Resolves when the page is idle, with a function for the time left, ms. */
export function idle(): Promise<() => number> {
  return new Promise((resolve) => callIdle((deadline) => resolve(() => deadline.timeRemaining())));
}
