import { InvalidArgumentError } from 'commander';

export const MAX_PORT = 65_535;

/** Parser of an option whose value is a whole number in this range. */
export function wholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d{1,6}$/.test(text) || number < from || number > to) {
      throw new InvalidArgumentError(`It has to be ${from} to ${to}.`);
    }
    return number;
  };
}
