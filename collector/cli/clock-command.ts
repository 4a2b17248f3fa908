import { Command } from 'commander';
import { note, printJson } from '../lib/print.ts';
import type { ClockStatus } from '../storage/clock-watch.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';

const PRINTED = 'print {now, expected}';

export function clockCommand(): Command {
  return new Command('clock')
    .description("show whether the collector trusts its machine's clock, and confirm that it is right")
    .addHelpText('after', '\nExample:\n  lastbyte clock show\n  lastbyte clock confirm')
    .addCommand(
      new Command('show')
        .description('show whether the clock is trusted')
        .addOption(dataOption())
        .option('--json', PRINTED)
        .addHelpText('after', '\nExample:\n  lastbyte clock show')
        .action(async ({ json = false, ...options }: StoreOption) => {
          print(await withStore(options, (store) => store.clock.status()), json);
        }),
    )
    .addCommand(
      new Command('confirm')
        .description('confirm that the clock is right: old data are removed again, a day of samples an hour')
        .addOption(dataOption())
        .option('--json', PRINTED)
        .addHelpText('after', '\nExample:\n  date\n  lastbyte clock confirm')
        .action(async ({ json = false, ...options }: StoreOption) => {
          print(await withStore(options, (store) => store.clock.confirm()), json);
        }),
    );
}

function print(status: ClockStatus, json: boolean): void {
  const { now, expected } = status;
  if (json) printJson({ now: textOf(now), expected: expected === null ? null : textOf(expected) });
  else note(clockNote(status) ?? `The clock is trusted: it is ${textOf(now)}.`);
}

/** The notice about a clock in doubt; null while it is trusted. */
export function clockNote({ now, expected }: ClockStatus): string | null {
  if (expected === null) return null;
  return `The clock says ${textOf(now)} where ${textOf(expected)} was expected: nothing is removed. If it is right, run: lastbyte clock confirm`;
}

function textOf(time: number): string {
  return new Date(time).toISOString();
}
