/** Everything that needs Observable Plot, in a chunk of its own: the first view is shown without waiting for it. */
export { connectionsChart } from './connections-chart.ts';
export { gapChart } from './gap-chart.ts';
export { histogramChart } from './histogram-chart.ts';
export { idleChart } from './idle-chart.ts';
export { averageChart, phasesChart } from './phases-chart.ts';
export { scenarioChart } from './scenario-chart.ts';
export { timelineChart } from './timeline-chart.ts';
