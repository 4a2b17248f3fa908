/** Which part of what a job has to read it has read. */
export interface WorkMeter {
  /** So many samples more are to be read; said before the reading begins. */
  expect(samples: number): void;
  done(samples: number): void;
}

/** @param tell the part, 0…1, never less than before */
export function createWorkMeter(tell: (part: number) => void): WorkMeter {
  let expected = 0;
  let read = 0;
  let told = 0;
  return {
    expect(samples) {
      expected += samples;
    },
    done(samples) {
      read += samples;
      const part = read / expected;
      if (!(part > told)) return;
      told = part;
      tell(part);
    },
  };
}
