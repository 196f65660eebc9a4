import { latin1Of } from '../../latin1.ts';
import { Unclear } from '../raw/tokens.ts';

/** Colours of a profile, by how many numbers tell one (ICC.1, 7.2.6). */
const COLOURS: Readonly<Record<number, readonly string[]>> = {
  1: ['GRAY'],
  3: ['RGB ', 'Lab '],
  4: ['CMYK'],
};
const [COLOURS_AT, MARK_AT, TAGS_AT, TAG] = [16, 36, 128, 12];
/** Curves of the light that a colour stands for. */
const CURVES = new Set(['kTRC', 'rTRC', 'gTRC', 'bTRC']);
const MOST_TAGS = 100;
const [POINTS_AT, FIRST_POINT] = [8, 12];

/**
 * Some readers draw by a profile, others by the usual colours: more of a colour must be more light. One of another number of colours than is
 * said no reader draws by.
 * @throws {Unclear}
 */
export function checkProfile(data: Uint8Array, components: number): void {
  const isOfColours = COLOURS[components]?.includes(latin1Of(data, COLOURS_AT, COLOURS_AT + 4));
  if (latin1Of(data, MARK_AT, MARK_AT + 4) !== 'acsp' || !isOfColours) return;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const word = (at: number) => (at + 4 <= data.length ? view.getUint32(at) : 0);
  const count = word(TAGS_AT);
  if (count > MOST_TAGS) throw new Unclear('A profile has too many parts');
  for (let tag = 0; tag < count; tag++) {
    const at = TAGS_AT + 4 + tag * TAG;
    if (CURVES.has(latin1Of(data, at, at + 4))) checkRises(view, word(at + 4));
  }
}

/** Of a curve by points; one by a power always rises. */
function checkRises(view: DataView, at: number): void {
  if (at + FIRST_POINT > view.byteLength || view.getUint32(at) !== CURVE) return;
  const count = view.getUint32(at + POINTS_AT);
  if (count < 2) return;
  if (at + FIRST_POINT + 2 * count > view.byteLength) throw new Unclear('A curve of a profile is cut');
  const point = (index: number) => view.getUint16(at + FIRST_POINT + 2 * index);
  for (let index = 1; index < count; index++)
    if (point(index) < point(index - 1)) throw new Unclear('A curve of a profile falls');
  if (point(0) >= MIDDLE || point(count - 1) < MIDDLE)
    throw new Unclear('A curve of a profile does not rise');
}

/** `curv` */
const CURVE = 0x63757276;
const MIDDLE = 0x8000;
