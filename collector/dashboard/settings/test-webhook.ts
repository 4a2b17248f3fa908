import type { ApiClient } from '../api/api-client.ts';
import { actionLine } from './action-line.ts';

interface TestAnswer {
  readonly delivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
}

/** Sends a test notification to a webhook and shows whether it arrived. */
export function testWebhook(client: ApiClient, id: string, unready: () => string | null): HTMLElement {
  return actionLine({
    label: 'Send test',
    name: `Send test to ${id}`,
    focus: `test webhook ${id}`,
    doing: 'Sending …',
    unready,
    async act() {
      const { document } = await client.send('/alerts/test', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ webhook: id }),
      });
      const { delivered, status, error } = document as TestAnswer;
      if (delivered) return { good: true, text: `Delivered: status ${status}.` };
      const answered = status === null ? '' : ` (status ${status})`;
      return { good: false, text: `Not delivered${answered}: ${error ?? 'no reason given'}.` };
    },
  });
}
