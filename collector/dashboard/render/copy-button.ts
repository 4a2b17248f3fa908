import { button } from './element.ts';
import { copyText } from './save.ts';

/** How long the result stands in the button, ms. */
const SAID_FOR = 2000;

/** Puts `text` on the clipboard and says whether it worked. `what` names it for who cannot see what stands beside it. */
export function copyButton(what: string, text: string): HTMLButtonElement {
  const made: HTMLButtonElement = button(
    { class: 'copy', 'aria-label': `Copy ${what}`, 'data-focus': `copy ${what}` },
    async () => {
      made.textContent = (await copyText(text)) ? 'Copied' : 'Not allowed';
      setTimeout(() => {
        made.textContent = 'Copy';
      }, SAID_FOR);
    },
    'Copy',
  );
  return made;
}
