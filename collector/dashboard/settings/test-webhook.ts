import type { ApiClient } from '../api/api-client.ts';
import { actionLine } from './action-line.ts';

interface TestAnswer {
  readonly delivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
}

/** Has the server send a test to a webhook, and says whether it arrived. */
export function testWebhook(client: ApiClient, id: string, unready: () => string | null): HTMLElement {
  return actionLine({
    label: 'Send a test now',
    name: `Send a test to ${id} now`,
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
      if (delivered) return { good: true, text: `Delivered: it answered with status ${status}.` };
      const answered = status === null ? '' : ` (status ${status})`;
      return { good: false, text: `Not delivered${answered}: ${error ?? 'no reason was told'}.` };
    },
  });
}
