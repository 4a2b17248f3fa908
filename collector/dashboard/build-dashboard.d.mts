/** Bundles the dashboard into `folder`. */
export function buildDashboard(folder: string): Promise<void>;
