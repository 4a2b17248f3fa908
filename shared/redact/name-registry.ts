import { MAX_HOSTS_PER_TARGET, MAX_TEMPLATES_PER_HOST, OVERFLOW_NAME } from '../vocabulary/wire-limits.ts';

/**
 * The names one browser has used, so that their number stays bounded whatever the paths look like. Plain data, never
 * mutated, so it can be stored as it is.
 */
export interface NameRegistry {
  /** target → host → templates. */
  readonly targets: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** How many samples were folded, for the popup: nothing is capped silently. */
  readonly foldedHosts: number;
  readonly foldedTemplates: number;
}

export const EMPTY_NAME_REGISTRY: NameRegistry = { targets: {}, foldedHosts: 0, foldedTemplates: 0 };

export interface NameLimits {
  readonly hostsPerTarget: number;
  readonly templatesPerHost: number;
}

const WIRE_LIMITS: NameLimits = { hostsPerTarget: MAX_HOSTS_PER_TARGET, templatesPerHost: MAX_TEMPLATES_PER_HOST };

export interface AdmittedNames {
  /** The same object if no name was new. */
  readonly registry: NameRegistry;
  readonly host: string;
  readonly template: string;
}

/** Admits a host and a template, or folds them into `(other)` beyond the limits and counts that. */
export function admitNames(
  registry: NameRegistry,
  name: { readonly target: string; readonly host: string; readonly template: string },
  limits: NameLimits = WIRE_LIMITS,
): AdmittedNames {
  const { target, host, template } = name;
  const hosts = own(registry.targets, target) ?? {};
  const templates = own(hosts, host);
  if (templates === undefined && Object.keys(hosts).length >= limits.hostsPerTarget) {
    const folded = { ...registry, foldedHosts: registry.foldedHosts + 1 };
    return { registry: folded, host: OVERFLOW_NAME, template: OVERFLOW_NAME };
  }
  if (templates?.includes(template)) return { registry, host, template };
  if (templates !== undefined && templates.length >= limits.templatesPerHost) {
    return { registry: { ...registry, foldedTemplates: registry.foldedTemplates + 1 }, host, template: OVERFLOW_NAME };
  }
  const learned = { ...hosts, [host]: [...(templates ?? []), template] };
  return { registry: { ...registry, targets: { ...registry.targets, [target]: learned } }, host, template };
}

/** A host may be called `constructor`. */
function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
