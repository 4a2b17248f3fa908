import type { NameRegistry } from '../../shared/redact/name-registry.ts';

/** Size of the names as JSON. Browsers grant an extension 5 to 10 MB for everything but the queue. */
const MAX_BYTES = 512 * 1024;

/**
 * The same names, or fewer: first those of removed targets go, then the older half of whichever host has the most. A dropped
 * name may return; the collector applies its own bounds.
 */
export function boundedNames(
  registry: NameRegistry,
  targets: readonly { readonly id: string }[],
  maxBytes: number = MAX_BYTES,
): NameRegistry {
  if (sizeOf(registry.targets) <= maxBytes) return registry;
  const known = new Set(targets.map(({ id }) => id));
  const kept = Object.fromEntries(
    Object.entries(registry.targets)
      .filter(([target]) => known.has(target))
      .map(([target, hosts]) => [target, { ...hosts }]),
  );
  while (sizeOf(kept) > maxBytes) {
    let largest: { readonly target: string; readonly host: string; readonly bytes: number } | null = null;
    for (const [target, hosts] of Object.entries(kept)) {
      for (const [host, templates] of Object.entries(hosts)) {
        const bytes = sizeOf(templates) + host.length;
        if (bytes > (largest?.bytes ?? 0)) largest = { target, host, bytes };
      }
    }
    if (largest === null) break;
    const hosts = kept[largest.target] ?? {};
    const templates = hosts[largest.host] ?? [];
    if (templates.length > 1) hosts[largest.host] = templates.slice(Math.ceil(templates.length / 2));
    else delete hosts[largest.host];
  }
  return { ...registry, targets: kept };
}

/** Counts characters as bytes, since templates are percent-encoded. */
function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}
