type Charts = typeof import('../charts/plot-charts.ts');

let loaded: Promise<Charts> | null = null;

/** Loads the chart library once, when the first chart needs it. After a failure the next chart tries again. */
export function loadCharts(): Promise<Charts> {
  loaded ??= import('../charts/plot-charts.ts').catch((error: unknown) => {
    loaded = null;
    throw error;
  });
  return loaded;
}
