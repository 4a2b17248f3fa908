import { Sketch } from '../../../shared/statistics/sketch.ts';

/** Up to here the values themselves take less room than a sketch of them. */
export const MAX_LISTED = 16;

/**
 * One measure of one cell while a pack is made: a few values as they are, many as a sketch. What comes out depends on
 * the values alone, not on their order or on how often they were packed in between, so a rebuild is equal byte by byte.
 */
export class CellValues {
  values: number[] | null = [];
  sketch: Sketch | null = null;

  add(value: number): void {
    if (this.values !== null) {
      if (this.values.push(value) > MAX_LISTED) this.promote();
    } else this.sketch?.add(value);
  }

  /** The values of the rows from place `from` up to `to`, NaN aside. */
  addRows(values: Float64Array, rows: Int32Array, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const value = values[rows[i] as number] as number;
      if (!Number.isNaN(value)) this.add(value);
    }
  }

  /** Where many more values are going to be added at once. */
  asSketch(): Sketch {
    return this.sketch ?? this.promote();
  }

  private promote(): Sketch {
    const sketch = new Sketch();
    for (const value of this.values ?? []) sketch.add(value);
    this.values = null;
    this.sketch = sketch;
    return sketch;
  }
}
