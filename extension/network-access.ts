import { platform } from './platform.ts';

/** Whether the permissions of network-permissions.ts are there: both, since they are only ever given together. */
export function hasNetworkAccess(): boolean {
  const { declarativeNetRequest, webRequest } = platform as Partial<typeof platform>;
  return declarativeNetRequest !== undefined && webRequest !== undefined;
}
