/** Reads bytes one after the other; numbers are big-endian. */
export class Cursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** @throws at the end, like all that is built on it */
  u8(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new RangeError('The font ends early');
    this.#at++;
    return byte;
  }

  u16(): number {
    return this.u8() * 0x100 + this.u8();
  }

  u32(): number {
    return this.u16() * 0x10000 + this.u16();
  }

  take(length: number): Uint8Array {
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new RangeError('The font ends early');
    return this.#bytes.subarray(from, this.#at);
  }

  /** Seven bits to a byte, the last of which is below 128 (WOFF2 section 4.1). */
  base128(): number {
    for (let value = 0; ; ) {
      const byte = this.u8();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
  }

  /** In one to three bytes (WOFF2 section 5.1, 255UInt16). */
  short(): number {
    const first = this.u8();
    if (first < 253) return first;
    if (first === 253) return this.u16();
    return (first === 255 ? 253 : 506) + this.u8();
  }
}

/** Writes bytes one after the other; numbers are big-endian. */
export class Sink {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** @param likely how many bytes it will be */
  constructor(likely: number) {
    this.#bytes = new Uint8Array(likely);
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  u8(value: number): void {
    this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  u16(value: number): void {
    this.u8(value >> 8);
    this.u8(value);
  }

  put(bytes: Uint8Array): void {
    this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Zeros up to a multiple of four. */
  pad(): void {
    while (this.#length % 4 > 0) this.u8(0);
  }

  #grow(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const wider = new Uint8Array(2 * (this.#length + more));
    wider.set(this.#bytes);
    this.#bytes = wider;
  }
}
