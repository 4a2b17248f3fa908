/** One line of the text format, read strictly: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export interface ReadSeries {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"/g;

/** Throws on anything that Prometheus would refuse: an unknown line, a family in two places, a series twice. */
export function readPrometheus(text: string): { series: ReadSeries[]; types: Map<string, string> } {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const types = new Map<string, string>();
  const series: ReadSeries[] = [];
  const seen = new Set<string>();
  let family = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (types.has(name)) throw new Error(`${name} comes twice`);
      family = name;
      types.set(name, 'untyped');
    } else if (kind === 'TYPE') {
      if (name !== family || !['counter', 'gauge', 'histogram'].includes(rest)) throw new Error(line);
      types.set(name, rest);
    } else {
      const [, metric = '', labelText = '', value = ''] = LINE.exec(line) ?? [];
      const base = types.get(family) === 'histogram' ? metric.replace(/_(bucket|sum|count)$/, '') : metric;
      if (base !== family || Number.isNaN(Number(value))) throw new Error(`not a line of ${family}: ${line}`);
      const labels = Object.fromEntries([...labelText.matchAll(LABEL)].map(([, label, word]) => [label, word]));
      const id = `${metric}{${labelText}}`;
      if (seen.has(id)) throw new Error(`${id} comes twice`);
      seen.add(id);
      series.push({ name: metric, labels: labels as Record<string, string>, value: Number(value) });
    }
  }
  return { series, types };
}
