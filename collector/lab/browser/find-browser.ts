import { BROWSER_ENGINES, type BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';
import { CommandFailure } from '../../lib/failure.ts';
import { type Machine, findBrowser as search, thisMachine } from '../../setup/find-browser.mjs';
import { howToInstall } from '../../setup/provide-browsers.mjs';

export type FoundBrowser =
  | { readonly ok: true; readonly engine: BrowserEngine; readonly path: string }
  | {
      readonly ok: false;
      readonly code: 'browser_not_found' | 'browser_not_executable';
      readonly message: string;
      readonly hint: string;
    };

/** Each names a browser's program, which takes precedence over installed ones. */
const VARIABLES: Readonly<Record<BrowserEngine, string>> = {
  chromium: 'LASTBYTE_CHROMIUM',
  firefox: 'LASTBYTE_FIREFOX',
};
const NAMES: Readonly<Record<BrowserEngine, string>> = { chromium: 'Chrome, Chromium or Edge', firefox: 'Firefox' };

/**
 * The requested browser, or for null the first one installed. Throws a CommandFailure if it isn't there, which names the
 * other one if that is.
 */
export function chooseBrowser(
  engine: BrowserEngine | null,
  machine: Machine = thisMachine(),
): Extract<FoundBrowser, { ok: true }> {
  const found = (engine === null ? BROWSER_ENGINES : [engine]).map((each) => findBrowser(each, machine));
  const first = found.find((each) => each.ok) ?? found[0];
  if (first?.ok) return first;
  const others = BROWSER_ENGINES.filter((each) => each !== engine && engine !== null && findBrowser(each, machine).ok);
  const instead = others.map((each) => `. Or drive ${NAMES[each]}, which is installed: --browser ${each}`).join('');
  throw new CommandFailure(
    (first?.message ?? 'no browser was found').replace(/\.$/, ''),
    `${first?.hint ?? ''}${instead}`,
  );
}

/**
 * The browser to drive, or why there is none and what to do. The search is the bootstrap's, so that set-up and use
 * always agree on the browser.
 */
export function findBrowser(engine: BrowserEngine, machine: Machine = thisMachine()): FoundBrowser {
  const variable = VARIABLES[engine];
  try {
    const found = search(engine, machine);
    if (found) return { ok: true, engine, path: found.path };
  } catch (error) {
    return {
      ok: false,
      code: 'browser_not_executable',
      message: error instanceof Error ? error.message : String(error),
      hint: `Point ${variable} at the browser's program file, or unset it to use the one installed.`,
    };
  }
  return {
    ok: false,
    code: 'browser_not_found',
    message: `No ${NAMES[engine]} was found on this machine.`,
    hint: `Install one: ${howToInstall([engine], machine)}`,
  };
}
