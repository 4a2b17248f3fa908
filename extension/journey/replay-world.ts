/**
 * Runs where the page's own scripts do, in a robot's browser only, before them: what a user would have to answer does not open, and the
 * run is told instead. A page can tell it so too, which breaks no run but its own.
 */
function interrupt(reason: string, more = ''): void {
  document.dispatchEvent(new CustomEvent('lastbyte-interrupted', { detail: `${reason} ${more}`.trim() }));
}

window.alert = (text) => interrupt('dialog', `alert: ${text}`);
window.confirm = (text) => {
  interrupt('dialog', `confirm: ${text}`);
  return false;
};
window.prompt = (text) => {
  interrupt('dialog', `prompt: ${text}`);
  return null;
};
window.print = () => interrupt('dialog', 'print');
window.open = (address) => {
  interrupt('window_opened', String(address ?? ''));
  return null;
};

const { click } = HTMLElement.prototype;
HTMLInputElement.prototype.click = function (this: HTMLInputElement) {
  if (this.type === 'file') interrupt('file_chooser');
  else click.call(this);
};
