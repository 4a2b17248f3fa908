/** The page's own element of this id. Throws where the page has none. */
export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return found;
}

/** A new element with a class, and text or children: never markup, since names come from a collector. */
export function make(tag: string, className: string, ...content: (string | Node)[]): HTMLElement {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...content);
  return made;
}

/** A button that can't be pressed twice while its work is under way; what goes wrong is told to `failed`. */
export function makeButton(
  label: string,
  className: string,
  press: () => Promise<unknown>,
  failed: (error: unknown) => void,
): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = className;
  button.textContent = label;
  button.addEventListener('click', () => {
    button.disabled = true;
    // Permissions are given inside a click only: nothing may be awaited before.
    press()
      .catch(failed)
      .finally(() => {
        button.disabled = false;
      });
  });
  return button;
}
