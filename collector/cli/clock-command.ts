import { Command } from 'commander';
import { note, printJson } from '../lib/print.ts';
import type { ClockStatus } from '../storage/clock-watch.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';

interface JsonOption {
  readonly json?: boolean;
}

const PRINTED = 'print {now, seen, inDoubt, expected}';

export function clockCommand(): Command {
  return new Command('clock')
    .description("whether the collector believes its machine's clock, and an operator's word for it")
    .addHelpText('after', '\nExample:\n  lastbyte clock show\n  lastbyte clock confirm')
    .addCommand(
      new Command('show')
        .description('say whether the clock is believed')
        .addOption(dataOption())
        .option('--json', PRINTED)
        .addHelpText('after', '\nExample:\n  lastbyte clock show')
        .action(async ({ json = false, ...options }: StoreOption & JsonOption) => {
          tell(await withStore(options, (store) => store.clock.status()), json);
        }),
    )
    .addCommand(
      new Command('confirm')
        .description('say that the clock is right: what is too old by it is removed again, a day of samples an hour')
        .addOption(dataOption())
        .option('--json', PRINTED)
        .addHelpText('after', '\nExample:\n  date\n  lastbyte clock confirm')
        .action(async ({ json = false, ...options }: StoreOption & JsonOption) => {
          tell(await withStore(options, (store) => store.clock.confirm()), json);
        }),
    );
}

function tell(status: ClockStatus, json: boolean): void {
  const { now, seen, doubt } = status;
  if (json) {
    printJson({
      now: textOf(now),
      seen: textOf(seen),
      inDoubt: doubt !== null,
      expected: doubt === null ? null : textOf(doubt.expected),
    });
  } else note(clockNote(status) ?? `The clock is believed: it is ${textOf(now)}.`);
}

/** What is to be said of a clock in doubt; null while it is believed. */
export function clockNote({ now, doubt }: ClockStatus): string | null {
  if (doubt === null) return null;
  return `The clock says ${textOf(now)} where ${textOf(doubt.expected)} was expected: nothing is removed. If it is right, run: lastbyte clock confirm`;
}

function textOf(time: number): string {
  return new Date(time).toISOString();
}
