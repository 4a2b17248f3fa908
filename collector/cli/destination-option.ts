import type { Command } from 'commander';
import type { Collector } from '../lab/send-batches.ts';
import { UsageFailure } from '../lib/failure.ts';
import {
  collectorAddress,
  HTTP_OPTION,
  type HttpOption,
  ingestKey,
  KEY_VARIABLE,
  siteLabel,
} from '../rollout/package/check-enrolment.ts';
import { checkAddress } from './store-option.ts';

export const SENDING_HINT = 'Check the address, the ingest key and the ids; docs/wire-format.md has the codes.';

/** What commands have in common that send to a collector what they measured. */
export interface DestinationOption extends HttpOption {
  readonly collector?: string;
  readonly site: string;
  readonly target?: string;
}

export interface Destination extends Collector {
  readonly site: string;
  /** Id of the app. */
  readonly target: string;
}

/** @param what is sent */
export function addDestinationOptions(command: Command, what: string): Command {
  return command
    .option('--collector <url>', `send ${what} there, with the ingest key in ${KEY_VARIABLE}`)
    .option(...HTTP_OPTION)
    .option('--site <label>', 'with a collector: location of this machine', '')
    .option('--target <id>', 'with a collector: id of the app');
}

/** null if nothing is to be sent. @param target where the option names none @throws UsageFailure, OutgoingFailure */
export async function readDestination(options: DestinationOption, target?: string): Promise<Destination | null> {
  if (options.collector === undefined) return null;
  await checkAddress('--collector', options.collector);
  const collector = collectorAddress(options.collector, options);
  const key = ingestKey(process.env[KEY_VARIABLE] ?? '');
  const id = options.target ?? target;
  if (id === undefined) throw new UsageFailure('no app is named', 'Give --target with its id in the settings.');
  return { collector, key, site: siteLabel(options.site), target: id };
}
