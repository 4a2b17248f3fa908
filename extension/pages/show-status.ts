import type { Status } from '../background/status.ts';
import { platform } from '../platform.ts';
import { element, text } from './text.ts';

/** Fills what popup and options page have in common: the state, what to do about it, and the permission button. */
export function showStatus(status: Status): void {
  const state = element('state');
  state.textContent = text(`state_${status.state}`);
  state.classList.toggle('attention', status.state !== 'collecting');
  element('hint').textContent = text(`hint_${status.state}`);
  const allow = element('allow');
  allow.hidden = status.capture.missing.length === 0;
  allow.textContent = text('allow');
  // Permissions are only given inside a click, so nothing may be awaited before.
  allow.onclick = async () => {
    await platform.permissions.request({ origins: [...status.capture.missing] });
    showStatus(await askStatus('status'));
  };
}

export async function askStatus(kind: 'status' | 'refresh'): Promise<Status> {
  return (await platform.runtime.sendMessage({ kind })) as Status;
}
