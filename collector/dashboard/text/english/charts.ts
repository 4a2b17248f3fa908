import { numbersOf } from '../../../analysis/text/numbers.ts';

const { count, ms } = numbersOf('en');
const steps = (n: number) => `${count(n)} ${n === 1 ? 'step' : 'steps'}`;

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
  clickForRequests: 'Click or Enter: the requests',
  zoomOut: 'Zoom out',
  backTo: (range: string) => `Back to ${range}`,

  averageRequest: {
    title: 'The average request',
    note: 'Averages per request; a reused connection counts 0. Network: DNS, TCP and one round trip of the wait.',
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
      `What lifts the average above the median, ms per request.${setupUnknown > 0 ? ` The set-up of ${count(setupUnknown)} new ${setupUnknown === 1 ? 'connection' : 'connections'} is unknown and counts 0.` : ''}`,
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
  distribution: {
    name: 'Distribution',
    note: (peaks: string, precision: string) =>
      `Requests by time to the last byte, ms, log axis. ${peaks} ${precision}.`,
    words: (median: string, mean: string, peaks: string) => `Median ${median} ms, average ${mean} ms. ${peaks}`,
    nothing: 'No usable samples, so there is no distribution.',
    table: 'Requests by time to the last byte',
    bins: 'Four bins per octave; the upper end of a bin is exclusive.',
    peaksLater: 'Peaks are detected from 200 requests on.',
    noPeak: 'No peak stands out.',
    onePeak: (peak: string) => `One peak, at ${peak}.`,
    peaks: (n: number, peaks: string) => `${count(n)} peaks: ${peaks}.`,
  },
  timeline: {
    notMeasured: 'no measurements',
    zone: (zone: string) => `Times in ${zone}.`,
    name: 'Timeline',
    title: 'Over time',
    nothing: 'No usable samples, so there is no timeline.',
    stepSize: (size: string) => `Steps of ${size}, time to the last byte, ms.`,
    gaps: (n: number) => `${steps(n)} ${n === 1 ? 'has' : 'have'} no measurements: gaps, not zeros.`,
    cut: 'The highest p95 and averages are cut off; the table has them.',
    words: (n: number) => `Median and average of ${steps(n)}.`,
    middleHalf: 'middle half (p25 to p75)',
    table: 'Time to the last byte over time',
    dash: 'A dash marks a step without measurements.',
    days: (n: number) => `${count(n)} ${n === 1 ? 'day' : 'days'}`,
  },
  pauses: {
    name: 'Pauses',
    title: 'Pauses and handshakes',
    nothing: 'No browser reported the time since its last response from this host.',
    note: (found: string) =>
      `Requests by the time since the browser’s last response from this host, log axis. ${found}`,
    table: 'Requests by pause',
    from: 'Pause from',
    to: 'to',
    reused: 'Reused connection',
    opened: 'New connection',
    first: 'A browser’s first request to a host has no preceding pause and is not counted here.',
    noneOpened: 'No new connection followed an earlier response, so no timeout can be detected.',
    noTimeout: (opened: number) =>
      `${count(opened)} new connections followed an earlier response, but no pause length separates them from reused ones. This suggests parallel connections or connections closed by the server, not a keep-alive timeout.`,
    timeout: (pause: string, forced: number, opened: number, share: string, early: number) =>
      `Connections close after about ${pause} without a request: ${count(forced)} of ${count(opened)} new connections (${share}) came after a longer pause. A keep-alive timeout longer than your users’ pauses would save these handshakes.${early > 0 ? ` ${count(early)} came sooner: opened in parallel, or after the server closed a connection.` : ''}`,
  },
  scenarios: {
    title: 'Distribution of each scenario',
    note: 'Requests by time to the last byte, ms, log axis. Each row has its own vertical scale.',
    words: (names: string) => `Histograms of ${names}.`,
  },
};
