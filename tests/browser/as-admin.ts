import type { DashboardCollector } from './dashboard-collector.ts';

/** A request to the API as an administrator's own script would make it. */
export function asAdmin(
  { url, adminToken }: Pick<DashboardCollector, 'url' | 'adminToken'>,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const authorization = `Bearer ${adminToken}`;
  return fetch(`${url}/api/v1${path}`, {
    ...init,
    headers: init.body === undefined ? { authorization } : { authorization, 'content-type': 'application/json' },
  });
}
