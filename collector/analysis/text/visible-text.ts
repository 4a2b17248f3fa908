import { UNSEEN } from '../../../shared/vocabulary/plain-text.ts';

const EACH_UNSEEN = new RegExp(`[${UNSEEN}]`, 'gu');

/** Names come from third-party pages: they must not control a terminal or look like other names. */
export function visibleText(text: string, instead = '\ufffd'): string {
  return text.replace(EACH_UNSEEN, instead);
}
