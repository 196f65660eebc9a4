import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The functions of HarfBuzz's subsetter that are called here; numbers are addresses in its memory. */
interface Subsetter {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(size: number): number;
  free(at: number): void;
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number;
  hb_blob_destroy(blob: number): void;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_destroy(face: number): void;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_set_clear(set: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_destroy(input: number): void;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_set(input: number, kind: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_input_pin_axis_location(input: number, face: number, tag: number, value: number): number;
  hb_subset_or_fail(face: number, input: number): number;
}

const DROP_TABLES = 3;
/** No hinting, glyph ids as they are, the box of glyph 0, no glyphs that layout rules might add. */
const FLAGS = 0x1 | 0x2 | 0x40 | 0x200;
const WRITABLE = 2;
/** The text is shaped already, and a PDF's font needs no names. */
const UNNEEDED = ['GSUB', 'GPOS', 'GDEF', 'STAT', 'name', 'cmap', 'OS/2', 'post'];

let loaded: Subsetter | undefined;

/** The font with these glyphs alone, under the ids that they have, at one weight of its axis. */
export function subset(font: Uint8Array, glyphs: Iterable<number>, weight: number): Uint8Array {
  loaded ??= load();
  const hb = loaded;
  const data = hb.malloc(font.length);
  new Uint8Array(hb.memory.buffer).set(font, data);
  const blob = hb.hb_blob_create(data, font.length, WRITABLE, 0, 0);
  const face = hb.hb_face_create(blob, 0);
  const input = hb.hb_subset_input_create_or_fail();
  try {
    hb.hb_subset_input_set_flags(input, FLAGS);
    for (const table of UNNEEDED) hb.hb_set_add(hb.hb_subset_input_set(input, DROP_TABLES), tag(table));
    for (const glyph of glyphs) hb.hb_set_add(hb.hb_subset_input_glyph_set(input), glyph);
    hb.hb_subset_input_pin_axis_location(input, face, tag('wght'), weight);
    const made = hb.hb_subset_or_fail(face, input);
    if (made === 0) throw new Error('The font cannot be cut down to its glyphs');
    const result = hb.hb_face_reference_blob(made);
    const at = hb.hb_blob_get_data(result, 0);
    const bytes = new Uint8Array(hb.memory.buffer).slice(at, at + hb.hb_blob_get_length(result));
    hb.hb_blob_destroy(result);
    hb.hb_face_destroy(made);
    return bytes;
  } finally {
    hb.hb_subset_input_destroy(input);
    hb.hb_face_destroy(face);
    hb.hb_blob_destroy(blob);
    hb.free(data);
  }
}

function load(): Subsetter {
  const file = fileURLToPath(import.meta.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm'));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), {});
  const subsetter = exports as unknown as Subsetter;
  subsetter._initialize();
  return subsetter;
}

function tag(name: string): number {
  return Buffer.from(name.padEnd(4), 'latin1').readUInt32BE();
}
