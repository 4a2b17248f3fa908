import { platform } from '../platform.ts';
import { needsAttention, type Status } from './status.ts';

/** Has enough contrast with white in both themes. */
const COLOUR = '#a04a00';

/** What the button shows since this background started; most updates change nothing. */
let shown: string | null = null;

export async function showBadge(status: Status): Promise<void> {
  const { action } = platform;
  const attention = needsAttention(status);
  const wanted = `${attention} ${status.state}`;
  if (wanted === shown) return;
  shown = wanted;
  await action.setBadgeBackgroundColor({ color: COLOUR });
  await action.setBadgeText({ text: attention ? '!' : '' });
  // For screen readers and tooltips: the badge itself has no words.
  await action.setTitle({
    title: `${platform.i18n.getMessage('name')}: ${platform.i18n.getMessage(`state_${status.state}`)}`,
  });
}
