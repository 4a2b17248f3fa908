// @ts-check
import { BROWSER_KINDS } from './find-browser.mjs';
import { SetupError } from './run-step.mjs';

/**
 * Separates `--browser X` or `--browser=X`, which the set-up needs, from the other arguments.
 * @param {readonly string[]} args
 * @returns {{ browser: 'chromium' | 'firefox' | null, rest: string[] }}
 */
export function takeBrowser(args) {
  /** @type {string[]} */
  const rest = [];
  let browser = null;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--browser') browser = args[++i] ?? '';
    else if (arg.startsWith('--browser=')) browser = arg.slice('--browser='.length);
    else rest.push(arg);
  }
  if (browser !== null && browser !== 'chromium' && browser !== 'firefox') {
    throw new SetupError(
      'read the arguments',
      `--browser ${browser} is unknown.`,
      `name ${BROWSER_KINDS.join(' or ')}`,
    );
  }
  return { browser, rest };
}
