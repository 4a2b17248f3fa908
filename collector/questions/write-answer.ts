import { type JsonBytes, writeJson } from '../storage/json-bytes.ts';
import type { ComputeMethod } from './compute-method.ts';

/** What the method of a document is told from. */
interface Head extends ComputeMethod {
  /** Of the period that is compared with. */
  readonly beforeHash: string | null;
}

type HeadOf<A> = Pick<A, keyof A & keyof Head>;

/** An answer as it leaves the thread that computed it: its head as values, and the document's other members as JSON. */
export interface WrittenAnswer<A> {
  readonly head: HeadOf<A>;
  readonly rest: JsonBytes<Omit<A, keyof Head>>;
}

const HEAD: Readonly<Record<keyof Head, true>> = {
  exact: true,
  bound: true,
  dataHash: true,
  folded: true,
  beforeHash: true,
};

export function writeAnswer<A extends object>(answer: A): WrittenAnswer<A> {
  const members = Object.entries(answer);
  const isOfHead = ([name]: [string, unknown]) => Object.hasOwn(HEAD, name);
  return {
    head: Object.fromEntries(members.filter(isOfHead)) as HeadOf<A>,
    rest: writeJson(Object.fromEntries(members.filter((member) => !isOfHead(member))) as Omit<A, keyof Head>),
  };
}
