/** The page's element with this id. Throws if there is none. */
export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return found;
}

/** A new element with a class, and text or child nodes; never markup, since names come from a collector. */
export function make(tag: string, className: string, ...content: (string | Node)[]): HTMLElement {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...content);
  return made;
}

/** A button that is disabled while its work is under way; errors go to `failed`. */
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
    // Permissions can only be requested inside a click, so nothing may be awaited before.
    press()
      .catch(failed)
      .finally(() => {
        button.disabled = false;
      });
  });
  return button;
}
