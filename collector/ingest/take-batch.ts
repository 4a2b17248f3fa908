import type { BodyParser } from './body-parser.ts';
import type { GroupCommit } from './group-commit.ts';
import {
  BATCH_COST,
  type Intake,
  NEW_BROWSER_COST,
  PARSED_COST_FACTOR,
  REFUSED_BODY_COST,
  REJECTED_ROW_COST,
  STORED_ROW_COST,
} from './intake.ts';
import type { BatchBody, BodyOutcome } from './read-body.ts';

const NO_BYTES = new Uint8Array(0);

/** A body whose room is held until it is released. */
export class ReceivedBody {
  readonly bytes: Buffer;
  readonly intake: Intake;
  constructor(bytes: Buffer, intake: Intake) {
    this.bytes = bytes;
    this.intake = intake;
  }
}

/**
 * From bytes to what is durable. Bodies as extensions write them are read where they are stored; all others are parsed
 * elsewhere first, and pay for it.
 */
export async function takeBatch(
  commit: GroupCommit,
  parser: BodyParser,
  { bytes, intake }: ReceivedBody,
  { receivedAt, key }: Pick<BatchBody, 'receivedAt' | 'key'>,
): Promise<BodyOutcome> {
  const sent = { receivedAt, key, network: intake.network.number, takesNewcomers: intake.takesNewcomers };
  const outcome = (await commit.add({ bytes, ...sent })) ?? (await parseFirst());
  if (!outcome.ok && outcome.code === 'quota_exceeded') throw intake.refuseNewcomer();
  intake.charge(costOf(outcome, bytes.length));
  if (outcome.ok) intake.stored(outcome.storedBytes, outcome.newcomer);
  return outcome;

  async function parseFirst(): Promise<BodyOutcome> {
    intake.charge(bytes.length * PARSED_COST_FACTOR);
    const parsed = await parser.parse(bytes, receivedAt, intake);
    if (!parsed.ok) return parsed;
    const stored = await commit.add({ bytes: NO_BYTES, ...sent, parsed, parsedBytes: bytes.length });
    if (stored === null) throw new Error('the store was given a parsed batch and asked for it to be parsed');
    return stored;
  }
}

/** Beyond its bytes, which were charged as they were read. */
function costOf(outcome: BodyOutcome, bytes: number): number {
  if (!outcome.ok) return REFUSED_BODY_COST;
  const { accepted, rejected } = outcome.answer;
  const written = Math.max(accepted * STORED_ROW_COST, outcome.newBrowser === true ? NEW_BROWSER_COST : BATCH_COST);
  return rejected.length * REJECTED_ROW_COST + Math.max(0, written - bytes);
}
