import { numberWords } from '../../analysis/text/numbers.ts';

const { count, ms } = numberWords('en');

export const CHARTS = {
  asTable: 'Show as table',
  download: (title: string, format: 'SVG' | 'PNG') => `Download chart ${title} as ${format}`,
  notDrawn: (problem: string) => `The chart could not be drawn (${problem}). The table has its numbers.`,
  noCanvas: 'This browser provides no canvas to draw on.',
  noPng: 'This browser could not encode the image.',

  median: 'median',
  average: 'average',
  medianOf: (value: string) => `median ${value}`,
  averageOf: (value: string) => `average ${value}`,
  peak: (name: string) => `peak ${name}`,
  timeout: (pause: string) => `timeout about ${pause}`,
  medianHead: 'Median',
  averageHead: 'Average',
  from: 'From',
  to: 'To',
  n: 'n',

  /** Name of the control that moves through the values of a chart. */
  values: (title: string, canOpen: boolean, canZoom: boolean) =>
    `Values of “${title}”: arrow keys move${canOpen ? ', Enter shows the requests' : ''}${canZoom ? ', Shift and arrow keys select a time, Enter zooms in' : ''}`,
  selected: (span: string) => `Selected ${span}; Enter zooms in`,
  clickForRequests: 'Click or press Enter for the requests',
  zoomOut: 'Zoom out',
  backTo: (range: string) => `Back to ${range}`,

  averageRequest: {
    title: 'The average request',
    note: 'Averages per request; a reused connection counts as 0. Network: DNS, TCP and one round trip of the wait.',
    words: (mean: string, median: string, parts: string) =>
      `Average ${mean} ms, median ${median} ms. Parts of the average: ${parts} ms.`,
    table: 'Parts of the average request',
    part: 'Part',
    perRequest: 'Per request',
    ofAverage: 'Of the average',
  },
  phases: {
    title: 'Each phase by itself',
    note: 'Not stacked, because medians of parts do not add up. DNS, TCP and TLS over new connections only.',
    table: 'Median and average of each phase',
    phase: 'Phase',
    basis: 'Basis',
    reason: 'Why unknown',
    perConnection: 'per connection',
    perRequest: 'per request',
    unknown: (phase: string, reason: string) => `${phase} unknown: ${reason}.`,
    known: (phase: string, perConnection: boolean, median: number, mean: number) =>
      `${phase}${perConnection ? ' per connection' : ''}: median ${ms(median)}, average ${ms(mean)} ms.`,
  },
  gap: {
    title: 'From median to average',
    note: (setupUnknown: number) =>
      `What lifts the average above the median, ms per request.${setupUnknown > 0 ? ` The set-up of ${count(setupUnknown)} new ${setupUnknown === 1 ? 'connection' : 'connections'} is unknown and counts as 0.` : ''}`,
    step: 'Step',
    adds: 'Adds',
  },
  connections: {
    title: 'Connections',
    note: 'Share of requests on new and reused connections, and without the network.',
    table: 'Samples by type and connection class',
    type: 'Type',
    share: (connection: string) => `${connection}, share`,
  },
  annotations: {
    count: (n: number) => `${count(n)} ${n === 1 ? 'annotation' : 'annotations'}`,
    annotate: 'Annotate',
  },
  zone: (zone: string) => `Times in ${zone}.`,
  notMeasured: 'no measurements',
  volume: 'requests',
  idle: 'Idle hours are compressed.',
};
