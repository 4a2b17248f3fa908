/** Bundles the dashboard into `folder`; resolves with the paths of all files that are in it. */
export function buildDashboard(folder: string): Promise<readonly string[]>;
