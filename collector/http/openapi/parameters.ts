import { ASKED_DIMENSIONS, DIMENSIONS, SAMPLE_DIMENSIONS } from '../../../shared/vocabulary/dimensions.ts';
import { SUMMARY_TIMES } from '../../../shared/vocabulary/time-names.ts';
import { EXTRAS } from '../../analysis/summary/summary-extras.ts';
import { EXPORT_FORMAT_NAMES } from '../../exchange/export/export-formats.ts';

interface ParameterAbout {
  readonly description: string;
  readonly schema: object;
  readonly example?: string;
  /** May be given several times. */
  readonly repeats?: true;
}

const MOMENT = { type: 'string', format: 'date-time' };
const FLAG = { type: 'string', enum: ['true', 'false'], default: 'false' };
const words = (list: readonly string[]) => ({ type: 'string', enum: [...list] });

/** Every parameter of the questions, by name; a dimension is a filter. */
const PARAMETERS: Readonly<Record<string, ParameterAbout>> = {
  from: { description: 'Inclusive; default 24 hours before `to`.', schema: MOMENT, example: '2026-03-01T00:00:00Z' },
  to: { description: 'Exclusive; default now.', schema: MOMENT, example: '2026-03-02T00:00:00Z' },
  by: { description: 'Dimensions to group by, separated by commas.', schema: { type: 'string' }, example: 'host,type' },
  exact: { description: 'Reads every value instead of sketches.', schema: FLAG },
  include: {
    description: `More of every cell, separated by commas: ${EXTRAS.join(', ')}.`,
    schema: { type: 'string' },
    example: 'peaks',
  },
  above: {
    description: 'Thresholds of sharesAbove, ms, separated by commas.',
    schema: { type: 'string' },
    example: '200,1000',
  },
  time: { description: 'Which time.', schema: words([...SUMMARY_TIMES, 'setup', 'idle']), example: 'ttlb' },
  step: { description: 'Length of a step: a whole number of s, m, h or d.', schema: { type: 'string' }, example: '1h' },
  zone: { description: 'Time zone in which steps begin.', schema: { type: 'string' }, example: 'UTC' },
  limit: { description: 'Rows at most.', schema: { type: 'integer', minimum: 1, maximum: 1000 }, example: '100' },
  format: { description: 'Of the file.', schema: words(EXPORT_FORMAT_NAMES), example: 'csv' },
  view: { description: 'Which report.', schema: { type: 'string' }, example: 'phases' },
  beforeFrom: { description: 'What it is compared with, inclusive.', schema: MOMENT },
  beforeTo: { description: 'What it is compared with, exclusive.', schema: MOMENT },
};

const RANGE = ['from', 'to'];
const ALL = [...DIMENSIONS, ...SAMPLE_DIMENSIONS];
const SIDES = ['before.', 'after.'].flatMap((side) => ALL.map((dimension) => side + dimension));

/** Names by address. Of the report only what every view takes: docs/reports.md has the rest. */
const OF_ADDRESS: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/summary': [...RANGE, 'by', 'exact', 'include', 'above', ...ASKED_DIMENSIONS],
  '/api/v1/histogram': [...RANGE, 'by', 'time', 'exact', ...ASKED_DIMENSIONS],
  '/api/v1/timeline': [...RANGE, 'by', 'time', 'exact', 'step', 'zone', ...ASKED_DIMENSIONS],
  '/api/v1/compare': [...RANGE, 'beforeFrom', 'beforeTo', 'by', 'time', ...ALL, ...SIDES],
  '/api/v1/pages': [...RANGE, 'limit', 'exact', ...ALL],
  '/api/v1/evidence': [...RANGE, 'by', 'exact', ...ASKED_DIMENSIONS],
  '/api/v1/tls': [...RANGE, ...ALL],
  '/api/v1/probes': [...RANGE, 'exact', ...ALL],
  '/api/v1/fleet': [...RANGE, 'site'],
  '/api/v1/export': ['format', ...RANGE, ...ALL],
  '/api/v1/report': ['view', ...RANGE],
};

export function parametersOf(url: string): object[] {
  return (OF_ADDRESS[url] ?? []).map((name) => {
    const { description, schema, example, repeats } = PARAMETERS[name] ?? filter(name);
    return {
      name,
      in: 'query',
      description,
      // Repeated, not separated by commas: a value may hold one.
      ...(repeats ? { schema: { type: 'array', items: schema }, style: 'form', explode: true } : { schema }),
      ...(example === undefined ? {} : { example }),
    };
  });
}

function filter(name: string): ParameterAbout {
  const dimension = name.replace(/^(before|after)\./, '');
  const side = dimension === name ? '' : ` on the side ${name.split('.')[0]}`;
  return {
    description: `Only samples with this ${dimension}${side}; repeat it for any of several.`,
    schema: { type: 'string' },
    repeats: true,
  };
}
