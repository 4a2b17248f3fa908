import { UsageFailure } from '../../lib/failure.ts';

/** Origin and path prefix without a slash at its end. Throws UsageFailure. */
export function collectorAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageFailure(`${text} is not an address`, 'Give --collector as https://host or http://host:port.');
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageFailure(
      `${text} holds more than host and path`,
      'Give --collector as https://host or http://host:port.',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
