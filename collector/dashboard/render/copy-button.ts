import { copyText } from '../components/save.ts';
import { button } from './element.ts';

/** How long the button shows the result, ms. */
const SAID_FOR = 2000;

/** Copies `text` to the clipboard and shows whether it worked. `what` names it for screen readers. */
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
