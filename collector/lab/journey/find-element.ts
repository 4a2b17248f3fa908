import type { ElementHandle, Frame, Page } from 'puppeteer-core';
import { lookAt } from '../../../extension/journey/in-page.mjs';
import type { ElementStep, SelectorList } from '../../../shared/journeys/recording.ts';
import { obstacle, StepBroke, type StepContext } from '../../../shared/journeys/replay.ts';

/** `target` is the address of a frame of another site, `frame` the way down by index. Null if the page has no such frame. */
export function findFrame(page: Page, target: string | undefined, path: readonly number[]): Frame | null {
  const isMain = target === undefined || target === 'main';
  const root = isMain
    ? page.mainFrame()
    : page.frames().find((each) => withoutQuery(each.url()) === withoutQuery(target));
  return path.reduce<Frame | null>((frame, index) => frame?.childFrames()[index] ?? null, root ?? null);
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/, '');
}

/** What the first alternative that matches anything matches. A selector of another kind or browser matches nothing. */
export async function queryAll(frame: Frame, selectors: SelectorList): Promise<ElementHandle[]> {
  for (const selector of selectors) {
    const found = await queryPath(frame, typeof selector === 'string' ? [selector] : selector).catch(() => []);
    if (found.length > 0) return found;
  }
  return [];
}

async function queryPath(frame: Frame, path: readonly string[]): Promise<ElementHandle[]> {
  let roots: readonly (Frame | ElementHandle)[] = [frame];
  for (const [index, part] of path.entries()) {
    const found = (await Promise.all(roots.map((root) => root.$$(part)))).flat();
    if (index === path.length - 1) return found;
    roots = await Promise.all(found.map(inside));
  }
  return [];
}

async function inside(host: ElementHandle): Promise<ElementHandle> {
  return (await host.evaluateHandle((element) => element.shadowRoot ?? element)) as ElementHandle;
}

export interface ReadyElement {
  readonly handle: ElementHandle;
  /** Where to point at it, in the window. */
  readonly point: { readonly x: number; readonly y: number };
  readonly state: ReturnType<typeof lookAt>;
}

/**
 * The element that a user could act on now: there, visible, enabled, at rest and not covered. If it never is, the step breaks with
 * what was last in the way.
 */
export async function findReady(
  step: ElementStep & { readonly offsetX?: number; readonly offsetY?: number },
  frame: () => Frame | null,
  poll: StepContext['poll'],
): Promise<ReadyElement> {
  const { offsetX, offsetY } = step;
  const offset = offsetX === undefined || offsetY === undefined ? null : { x: offsetX, y: offsetY };
  let inTheWay = new StepBroke('element_not_found');
  const ready = await poll<ReadyElement>(async () => {
    const within = frame();
    inTheWay = new StepBroke(within === null ? 'frame_not_found' : 'element_not_found');
    for (const handle of within === null ? [] : await queryAll(within, step.selectors)) {
      const state = await handle.evaluate(lookAt, offset);
      const reason = obstacle(step, state);
      if (reason !== null) inTheWay = reason;
      else if (!state.moving) return { handle, state, point: await handle.clickablePoint({ x: state.x, y: state.y }) };
    }
    return null;
  });
  if (ready === null) throw inTheWay;
  return ready;
}
