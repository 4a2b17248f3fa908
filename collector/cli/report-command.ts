import { Command, Option } from 'commander';
import { DIMENSIONS } from '../../shared/summary/dimensions.ts';
import { parseSummaryQuery } from '../query/parse-summary-query.ts';
import { runSummary } from '../query/run-summary.ts';
import { UsageFailure } from './failure.ts';
import { printJson } from './print.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';
import { VERSION } from './version.ts';

interface ReportOptions extends StoreOption {
  readonly from?: string;
  readonly to?: string;
  readonly by?: string;
  readonly filter: readonly string[];
}

export function reportCommand(): Command {
  return new Command('report')
    .description('print a report of what was measured')
    .addOption(new Option('--view <view>', 'which report').choices(['summary']).default('summary'))
    .addOption(new Option('--format <format>', 'how').choices(['json']).default('json'))
    .option('--from <time>', 'RFC 3339, inclusive; default 24 hours before --to')
    .option('--to <time>', 'RFC 3339, exclusive; default now')
    .option('--by <dimensions>', `comma-separated: ${DIMENSIONS.join(', ')}; default host,type`)
    .option('--filter <dimension=value>', 'only these; repeatable', collect, [])
    .addOption(dataOption())
    .option('--json', 'the same as --format json')
    .addHelpText(
      'after',
      '\nExample:\n  lastbyte report --view summary --by host,type --filter target=erp --format json',
    )
    .action(async (options: ReportOptions) => {
      const query = parseSummaryQuery(parametersOf(options), Date.now());
      printJson(await withStore(options, (store) => runSummary(store, query, VERSION)));
    });
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** The same names as in the query string of GET /api/v1/summary. */
function parametersOf({ from, to, by, filter }: ReportOptions): Record<string, string | string[] | undefined> {
  const parameters = new Map<string, string[]>();
  for (const text of filter) {
    const split = text.indexOf('=');
    const name = text.slice(0, Math.max(split, 0));
    if (!(DIMENSIONS as readonly string[]).includes(name)) {
      throw new UsageFailure(
        `--filter ${text} is no filter`,
        `Write dimension=value, with one of ${DIMENSIONS.join(', ')}.`,
      );
    }
    parameters.set(name, [...(parameters.get(name) ?? []), text.slice(split + 1)]);
  }
  return { ...Object.fromEntries(parameters), from, to, by };
}
