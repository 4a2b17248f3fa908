import { platform } from '../platform.ts';
import { needsAttention, type Status } from './status.ts';

/** Dark enough behind white in both themes. */
const COLOUR = '#a04a00';

/** What the button shows since this background started: it is asked for at each delivery, and mostly stays. */
let shown: string | null = null;

export async function showBadge(status: Status): Promise<void> {
  const { action } = platform;
  const attention = needsAttention(status);
  const wanted = `${attention} ${status.state}`;
  if (wanted === shown) return;
  shown = wanted;
  await action.setBadgeBackgroundColor({ color: COLOUR });
  await action.setBadgeText({ text: attention ? '!' : '' });
  // For screen readers and pointers: the badge's mark has no words.
  await action.setTitle({
    title: `${platform.i18n.getMessage('name')}: ${platform.i18n.getMessage(`state_${status.state}`)}`,
  });
}
