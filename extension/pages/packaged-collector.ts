interface ManifestWithUpdates {
  /** Chromium's. */
  readonly update_url?: string;
  readonly browser_specific_settings?: { readonly gecko?: { readonly update_url?: string } };
}

/** The collector's path of the updates that `lastbyte package` writes into the manifest. */
const UPDATES = /\/install\/update(?:\.xml|s\.json)$/;

/** The collector that this package gets its updates from; null if that is another place, such as a store. */
export function packagedCollector(manifest: ManifestWithUpdates): string | null {
  const updates = manifest.update_url ?? manifest.browser_specific_settings?.gecko?.update_url ?? '';
  return UPDATES.test(updates) ? updates.replace(UPDATES, '') : null;
}
