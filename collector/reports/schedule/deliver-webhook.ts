import type { ScheduledReport } from '../../../shared/settings/report-settings.ts';
import { DeliveryFailed } from '../../outgoing/delivery-failed.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import { postBytes } from '../../outgoing/post-bytes.ts';
import type { ReportFile } from './delivery.ts';

interface Sending {
  readonly outgoing: Outgoing;
  readonly version: string;
  readonly signal: AbortSignal;
}

/**
 * Posts each file in a request of its own, unchanged. Throws DeliveryFailed or an error of the network.
 * @param delivery the same in every attempt, so that the receiver can recognize duplicates
 */
export async function deliverToWebhook(
  { outgoing, version, signal }: Sending,
  { id, webhook = {} }: ScheduledReport,
  delivery: string,
  files: readonly ReportFile[],
): Promise<void> {
  const url = new URL(webhook.url ?? (await outgoing.secret(webhook.urlFrom ?? {})));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new DeliveryFailed('the address is neither http nor https');
  }
  const bearer = webhook.bearerFrom === undefined ? null : await outgoing.secret(webhook.bearerFrom);
  for (const { name, mediaType, bytes } of files) {
    const headers = {
      'content-type': mediaType,
      'content-disposition': `attachment; filename="${name}"`,
      'user-agent': `lastbyte/${version}`,
      'x-lastbyte-report': id,
      'x-lastbyte-delivery': `${delivery}/${name}`,
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    };
    const status = await postBytes(outgoing.guard, { url, headers, body: bytes, signal });
    if (status < 200 || status >= 300) {
      const why = status >= 300 && status < 400 ? 'a redirect, which is not followed' : 'not accepted';
      throw new DeliveryFailed(`answered ${status}: ${why}`);
    }
  }
}
