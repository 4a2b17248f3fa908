import { Sketch } from '../../../shared/statistics/sketch.ts';

/** A sketch of all values, whole microseconds. */
export function sketchOf(values: Iterable<number>): Sketch {
  const sketch = new Sketch();
  for (const value of values) sketch.add(value);
  return sketch;
}
