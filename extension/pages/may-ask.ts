import { platform } from '../platform.ts';

/** False in a package made with --only-targets: the browser refuses to ask for anything that is not in it. */
export function mayAsk(): boolean {
  const { optional_host_permissions: optional } = platform.runtime.getManifest() as {
    readonly optional_host_permissions?: readonly string[];
  };
  return (optional ?? []).length > 0;
}
