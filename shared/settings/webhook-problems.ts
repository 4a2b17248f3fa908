import { hasCredentials, parseHttpUrl } from '../redact/http-url.ts';
import type { DocumentProblem } from '../vocabulary/document-problem.ts';
import type { Webhook } from './alert-settings.ts';

/** Problems of a webhook's address that its schema does not catch. */
export function webhookProblems({ url, urlFrom }: Pick<Webhook, 'url' | 'urlFrom'>, path: string): DocumentProblem[] {
  if ((url === undefined) === (urlFrom === undefined)) {
    const hint = 'Give url, or urlFrom if the address itself is a secret.';
    return [{ path, message: 'needs either url or urlFrom', hint, code: 'url_or_reference' }];
  }
  if (url === undefined) return [];
  if (parseHttpUrl(url) === null) {
    const hint = 'Example: https://hooks.example.com/x';
    return [{ path: `${path}/url`, message: 'is not an http or https address', hint, code: 'not_http' }];
  }
  // Everyone who may read the settings could read it here.
  const hint = 'Use urlFrom or bearerFrom: secrets stay outside.';
  return hasCredentials(url)
    ? [{ path: `${path}/url`, message: 'contains a password', hint, code: 'has_password' }]
    : [];
}
