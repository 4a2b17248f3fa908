import { BROWSER_ENGINES, type BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';
import { CommandFailure } from '../../lib/failure.ts';
import { type FoundBrowser, findBrowser } from './find-browser.ts';

/** The browser that was asked for, or with null the first one installed. Throws a CommandFailure where there is none. */
export function chooseBrowser(engine: BrowserEngine | null): Extract<FoundBrowser, { ok: true }> {
  const found = (engine === null ? BROWSER_ENGINES : [engine]).map((each) => findBrowser(each));
  const first = found.find((each) => each.ok) ?? found[0];
  if (first?.ok) return first;
  throw new CommandFailure((first?.message ?? 'no browser was found').replace(/\.$/, ''), first?.hint ?? '');
}
