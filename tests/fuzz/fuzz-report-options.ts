import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { FORMATS, REPORT_VIEWS } from '../../shared/settings/report-choices.ts';
import type { Fuzzer } from './fuzz.ts';
import { oddText } from './mutations.ts';

const PATIENCE_MS = 20_000;

const TIMES = ['0001-01-01T00:00:00Z', '2026-03-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-02-30T00:00:00Z'];
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  '--view': REPORT_VIEWS,
  '--format': FORMATS,
  '--from': TIMES,
  '--to': TIMES,
  '--before-from': TIMES,
  '--month': ['2026-02', '0001-01', '9999-12'],
  '--by': ['host,type', ','],
  '--time': ['ttlb', 'ever'],
  '--include': ['peaks'],
  '--above': ['200', '-1'],
  '--filter': ['target=erp', '=', 'constructor=1', 'before.host=a'],
  '--lang': ['en', 'de'],
  '--zone': ['Europe/Berlin', 'UTC', 'Pacific/Apia'],
  '--first': ['average'],
  '--per': ['request'],
  '--business-hours': ['Mon-Fri 08:00-18:00'],
  '--outliers': ['tukey', 'cap:1'],
  '--min-n': ['1', '0'],
};
const FLAGS = ['--exact', '--stamp', '--json'];

const option: fc.Arbitrary<readonly string[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...FLAGS).map((name) => [name]) },
  { weight: 6, arbitrary: fc.constantFrom(...Object.keys(OPTIONS)).chain(withValue) },
);

function withValue(name: string): fc.Arbitrary<readonly string[]> {
  const usual = fc.constantFrom(...(OPTIONS[name] ?? ['']));
  // A command line cannot hold a zero: the system ends an argument there.
  return fc.oneof({ weight: 8, arbitrary: usual }, oddText).map((value) => [name, value.replaceAll('\u0000', '')]);
}

/** Arguments of `lastbyte report` over a data folder: a report or words about what is wrong with them, and no stack. */
export function reportOptionsFuzzer(folder: string): Fuzzer<readonly string[]> {
  return {
    name: 'report-options',
    arbitrary: fc.array(option, { maxLength: 6 }).map((options) => options.flat()),
    async holds(options) {
      const args = ['dist/lastbyte.mjs', 'report', ...options, '--data', folder];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      const [[code], , said] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
      clearTimeout(timer);
      if (code === null) throw new Error(`no report within ${PATIENCE_MS / 1000} s`);
      if (code > 2 || /\n\s+at |unexpected error/.test(said))
        throw new Error(`ended with ${code}: ${said.slice(0, 500)}`);
      if (code !== 0 && said.trim() === '') throw new Error(`ended with ${code} and said nothing`);
    },
    toCorpus: (options) => options,
    fromCorpus: (options: readonly string[]) => options,
  };
}
