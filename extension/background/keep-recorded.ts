import type { Recorded } from '../../shared/journeys/assemble-recording.ts';
import type { RecordedMessage } from '../messages.ts';
import { platform, type Runtime } from '../platform.ts';

/** In storage.session, which outlives the background and ends with the browser. */
export interface RecordingState {
  readonly tab: number;
  /** Id of the app. */
  readonly target: string;
  readonly isOn: boolean;
  /** Where it ended, as an address that may be shown. */
  readonly lastPage: string | null;
  readonly recorded: readonly Recorded[];
}

/** One change at a time, the popup's too: none overwrites another's, and no step that is still on its way undoes a stop. */
export function changeRecording<Kept>(change: (recording: RecordingState | undefined) => Promise<Kept>): Promise<Kept> {
  return navigator.locks.request('recording', async () =>
    change(((await platform.storage.session.get('recording')) as { recording?: RecordingState }).recording),
  );
}

export function keepRecorded({ item }: RecordedMessage, { tab }: Runtime.MessageSender): Promise<boolean> {
  return changeRecording(async (recording) => {
    if (!recording?.isOn || recording.tab !== tab?.id) return false;
    await platform.storage.session.set({ recording: { ...recording, recorded: [...recording.recorded, item] } });
    // A browser forgets the text of a tab with its page.
    await platform.action.setBadgeText({ tabId: recording.tab, text: 'REC' });
    return true;
  });
}
