import { platform } from '../platform.ts';
import { signOut } from './sign-in.ts';

/** Scripts that run in the pages of a journey while it is replayed. */
export const SCRIPT_IDS: [string, string] = ['robot-page', 'robot-world'];
/** In storage.session, since other tabs have these numbers after a restart. */
const TABS = 'robotTabs';
const CLOSE_MS = 5_000;

export async function noteTabs(tabs: readonly number[]): Promise<void> {
  await platform.storage.session.set({ [TABS]: tabs });
}

/** Closes the tabs of a run and takes back what it has set. Does all of it, whatever fails: a tab may be gone already. */
export async function cleanUp(): Promise<void> {
  const { scripting, storage, tabs } = platform;
  const { [TABS]: open = [] } = await storage.session.get(TABS);
  await storage.session.remove(TABS);
  const done = Promise.allSettled([
    scripting.unregisterContentScripts({ ids: SCRIPT_IDS }),
    signOut(),
    ...(open as number[]).map((tab) => tabs.remove(tab)),
  ]);
  // Firefox waits for a page whose scripts never pause.
  await Promise.race([done, new Promise((resolve) => setTimeout(resolve, CLOSE_MS))]);
}
