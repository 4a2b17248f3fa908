import { platform } from '../platform.ts';
import { needsAttention, type Status } from './status.ts';

/** Dark enough behind white in both themes. */
const COLOUR = '#a04a00';

export async function showBadge(status: Status): Promise<void> {
  const { action } = platform;
  const attention = needsAttention(status);
  await action.setBadgeBackgroundColor({ color: COLOUR });
  await action.setBadgeText({ text: attention ? '!' : '' });
  // For screen readers and pointers: the badge's mark has no words.
  await action.setTitle({
    title: `${platform.i18n.getMessage('name')}: ${platform.i18n.getMessage(`state_${status.state}`)}`,
  });
}
