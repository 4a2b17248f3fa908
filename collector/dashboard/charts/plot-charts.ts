/** Everything that needs Observable Plot, in a chunk of its own: the first view is shown without waiting for it. */
export { connectionsChart } from './connections-chart.ts';
export { gapChart } from './gap-chart.ts';
export { averageChart, phasesChart } from './phases-chart.ts';
