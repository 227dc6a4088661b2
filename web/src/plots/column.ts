// Numbers of a recording over its rows, decoded in chunks when they are asked for.
export const CHUNK = 65536; // rows; LW_PAGE_CHUNK of src/report/page/page_columns.h

export class Column {
  private parts: (Float64Array | undefined)[] = [];

  // size: the largest magnitude, or a bound of it
  constructor(readonly length: number, readonly size: number, private decode: (k: number) => Float64Array) {}

  static of(values: Float64Array): Column {
    return new Column(values.length, values.reduce((most, value) => Math.max(most, Math.abs(value)), 0), (k) => values.subarray(CHUNK * k, CHUNK * (k + 1)));
  }

  // The rows from CHUNK k on.
  part(k: number): Float64Array {
    return this.parts[k] ??= this.decode(k);
  }

  at(row: number): number {
    const i = row < 0 ? row + this.length : row;
    return this.part(Math.floor(i / CHUNK))[i % CHUNK];
  }

  // All rows of another column made from those of this one.
  map(change: (value: number, row: number) => number, size: number): Column {
    return new Column(this.length, size, (k) => this.part(k).map((value, i) => change(value, CHUNK * k + i)));
  }

  all(): Float64Array {
    const values = new Float64Array(this.length);
    for (let k = 0; CHUNK * k < this.length; ++k) values.set(this.part(k), CHUNK * k);
    return values;
  }

  has(k: number): boolean { return this.parts[k] !== undefined; }

  // How many chunks have been decoded.
  get decoded(): number { return this.parts.filter(Boolean).length; }
}
