/** Everything that needs Observable Plot, in a separate chunk: the first view does not wait for it. */
export { connectionsChart } from '../../charts/connections-chart.ts';
export { gapChart } from '../../charts/gap-chart.ts';
export { averageChart, phasesChart } from '../../charts/phases-chart.ts';
export { scenarioChart } from '../../charts/scenario-chart.ts';
export { histogramChart } from './histogram-chart.ts';
export { idleChart } from './idle-chart.ts';
export { timelineChart, trendChart } from './timeline-chart.ts';
