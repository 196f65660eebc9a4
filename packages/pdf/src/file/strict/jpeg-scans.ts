import { Unclear } from '../raw/tokens.ts';

/** Coefficients of a block, and how many a code passes over that stands for zeros alone. */
const [BLOCK, ZEROS] = [64, 16];
const [LONGEST_CODE, MOST_BITS] = [16, 15];
const [SOF0, SOF2, DHT, EOI, SOS, DRI] = [0xc0, 0xc2, 0xc4, 0xd9, 0xda, 0xdd];
/** Marks of restarts, eight of them in turn. */
const [RST0, RESTARTS] = [0xd0, 8];
/** In the number of a table: codes of other coefficients than the first one. */
const OTHERS = 0x10;

interface Component {
  readonly id: number;
  readonly across: number;
  readonly down: number;
}

/** The codes of a table, by their lengths: the first number that is too high for one, and where its symbols are counted from. */
interface Codes {
  readonly limits: Int32Array;
  readonly offsets: Int32Array;
  readonly symbols: Uint8Array;
}

/** Codes for the first coefficient of a block, and for the others; these are undefined in a scan that has none. */
type Block = readonly [first: Codes, others: Codes | undefined];

/**
 * Walks over the codes of a picture by JPEG that are by Huffman (ISO/IEC 10918-1, annexes F and G): all of them where they come one behind the
 * other, and the first scan of each colour where they get finer. Where codes are missing, some readers draw grey, some the last ones again, and
 * others nothing.
 * @throws {Unclear} for data that end before the picture, or are in error
 */
export function checkScans(data: Uint8Array): void {
  const tables = new Map<number, Codes>();
  const seen = new Set<Component>();
  let frame: Frame | undefined;
  let restart = 0;
  for (let at = nextMark(data, 2); at < data.length; ) {
    const mark = data[at + 1] ?? 0;
    if (mark === EOI) break;
    const [start, end] = [at + 4, at + 2 + pairAt(data, at + 2)];
    if (mark === DHT) readCodes(data.subarray(start, end), tables);
    else if (mark === DRI) restart = pairAt(data, start);
    else if (mark >= SOF0 && mark <= SOF2) frame = frameAt(data, start, mark === SOF2);
    else if (mark === SOS) {
      if (!frame) throw new Unclear('A picture by JPEG does not tell its size');
      for (const each of walk(data, { start, end }, frame, { tables, restart })) seen.add(each);
    }
    at = nextMark(data, end);
  }
  if (frame?.components.some((each) => !seen.has(each))) throw new Unclear('A picture by JPEG has no end');
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly isFiner: boolean;
  readonly components: readonly Component[];
}

function frameAt(data: Uint8Array, start: number, isFiner: boolean): Frame {
  const components = Array.from({ length: data[start + 5] ?? 0 }, (_, index) => {
    const [id = 0, sides = 0] = data.subarray(start + 6 + index * 3);
    return { id, across: sides >> 4, down: sides & 15 };
  });
  return { height: pairAt(data, start + 1), width: pairAt(data, start + 3), isFiner, components };
}

/** Walks over a scan. @returns the colours that it begins */
function walk(
  data: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  { width, height, isFiner, components }: Frame,
  { tables, restart }: { readonly tables: ReadonlyMap<number, Codes>; readonly restart: number },
): readonly Component[] {
  const isFirst = data[end - 3] === 0 && (data[end - 1] ?? 0) >> 4 === 0;
  if (!isFirst) return [];
  const across = Math.max(...components.map((each) => each.across));
  const down = Math.max(...components.map((each) => each.down));
  const isAlone = data[start] === 1;
  let units = Math.ceil(width / 8 / across) * Math.ceil(height / 8 / down);
  const blocks: Block[] = [];
  const drawn: Component[] = [];
  for (let index = 0; index < (data[start] ?? 0); index++) {
    const [id, choice = 0] = data.subarray(start + 1 + index * 2);
    const component = components.find((each) => each.id === id);
    const [first, others] = [tables.get(choice >> 4), tables.get(OTHERS | (choice & 15))];
    if (!component || !first || !(isFiner || others))
      throw new Unclear('A picture by JPEG does not tell its codes');
    const times = isAlone ? 1 : component.across * component.down;
    if (isAlone)
      units =
        Math.ceil(Math.ceil((width * component.across) / across) / 8) *
        Math.ceil(Math.ceil((height * component.down) / down) / 8);
    for (let time = 0; time < times; time++) blocks.push([first, isFiner ? undefined : others]);
    drawn.push(component);
  }
  if (!(units > 0 && blocks.length > 0)) throw new Unclear('A picture by JPEG has no rows');
  const scan = new Scan(data, end);
  for (let unit = 0; unit < units; unit++) {
    if (restart > 0 && unit > 0 && unit % restart === 0) scan.restart(unit / restart - 1);
    for (const block of blocks) scan.pass(block);
  }
  scan.end();
  return drawn;
}

const pairAt = (data: Uint8Array, at: number): number => (data[at] ?? 0) * 256 + (data[at + 1] ?? 0);

/** Where the next mark is that is neither data nor a restart. */
function nextMark(data: Uint8Array, from: number): number {
  let at = data.indexOf(0xff, from);
  for (; at !== -1; at = data.indexOf(0xff, at + 1)) {
    const mark = data[at + 1] ?? 0;
    if (mark !== 0 && mark !== 0xff && (mark < RST0 || mark >= RST0 + RESTARTS)) return at;
  }
  return data.length;
}

function readCodes(data: Uint8Array, tables: Map<number, Codes>): void {
  for (let at = 0; at < data.length; ) {
    const counts = data.subarray(at + 1, at + 1 + LONGEST_CODE);
    const [limits, offsets] = [new Int32Array(LONGEST_CODE + 1), new Int32Array(LONGEST_CODE + 1)];
    let [code, read] = [0, 0];
    for (const [index, count] of counts.entries()) {
      offsets[index + 1] = read - code;
      read += count;
      code += count;
      if (code > 2 ** (index + 1)) throw new Unclear('A picture by JPEG has more codes than there are');
      limits[index + 1] = code;
      code *= 2;
    }
    const first = at + 1 + LONGEST_CODE;
    const isOfFirsts = (data[at] ?? 0) < OTHERS;
    if (isOfFirsts && data.subarray(first, first + read).some((bits) => bits > MOST_BITS))
      throw new Unclear('A picture by JPEG has a code that stands for nothing');
    tables.set(data[at] ?? 0, { limits, offsets, symbols: data.subarray(first, first + read) });
    at = first + read;
  }
}

/** The data of one scan, in which a byte of ones is followed by one of zeros, or else by a mark. */
class Scan {
  readonly #data: Uint8Array;
  #at: number;
  #bits = 0;
  #count = 0;
  /** Bits that are not there, behind the last ones. */
  #made = 0;

  constructor(data: Uint8Array, at: number) {
    this.#data = data;
    this.#at = at;
  }

  pass([first, others]: Block): void {
    this.#skip(this.#symbol(first));
    for (let index = 1; others && index < BLOCK; ) {
      const symbol = this.#symbol(others);
      const [zeros, size] = [symbol >> 4, symbol & 15];
      if (size === 0 && zeros !== ZEROS - 1) break;
      index += zeros + 1;
      this.#skip(size);
    }
  }

  /** The bits that were used must have been there. */
  end(): void {
    if (this.#made > this.#count) throw new Unclear('A picture by JPEG ends before its last row');
  }

  restart(number: number): void {
    this.end();
    while (this.#data[this.#at] !== 0xff || this.#data[this.#at + 1] === 0) {
      if (this.#at >= this.#data.length) break;
      this.#at++;
    }
    while (this.#data[this.#at + 1] === 0xff) this.#at++;
    if (this.#data[this.#at + 1] !== RST0 + (number % RESTARTS))
      throw new Unclear('A picture by JPEG has a part that is missing');
    this.#at += 2;
    this.#bits = this.#count = this.#made = 0;
  }

  #symbol({ limits, offsets, symbols }: Codes): number {
    this.#need(LONGEST_CODE);
    const next = (this.#bits >> (this.#count - LONGEST_CODE)) & 0xffff;
    for (let length = 1; length <= LONGEST_CODE; length++) {
      const code = next >> (LONGEST_CODE - length);
      if (code >= (limits[length] ?? 0)) continue;
      this.#count -= length;
      return symbols[code + (offsets[length] ?? 0)] ?? 0;
    }
    throw new Unclear('A picture by JPEG has a code that stands for nothing');
  }

  #skip(bits: number): void {
    this.#need(bits);
    this.#count -= bits;
  }

  #need(bits: number): void {
    for (; this.#count < bits; this.#count += 8) {
      const byte = this.#data[this.#at];
      const isData = byte !== undefined && (byte !== 0xff || this.#data[this.#at + 1] === 0);
      this.#bits = ((this.#bits << 8) | (isData ? byte : 0)) & 0xff_ff_ff;
      if (isData) this.#at += byte === 0xff ? 2 : 1;
      else {
        this.#made += 8;
        if (this.#made > 32) this.end();
      }
    }
  }
}
