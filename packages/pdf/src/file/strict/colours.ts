import { Unclear } from '../raw/tokens.ts';
import { DEVICE_SPACES, GRAY, type Space } from './colour-spaces.ts';
import type { Operand } from './content-reader.ts';
import { FILLS, STROKES } from './operators.ts';

/** Of a colour: nobody sees it. */
const NEAR = 0.5;
const PLAIN: ReadonlySet<Space> = new Set(DEVICE_SPACES.values());

/**
 * What a colour does to what is below it where overprint is on: `dark` hides it either way, `whole` too if no ink is below, `part` leaves
 * what its missing inks would have covered, `ink` all but itself. A `cell` is content that is repeated, and may do any of it.
 */
export type Print = 'dark' | 'whole' | 'part' | 'ink' | 'cell' | 'ink cell';

interface Side {
  /** undefined in content that goes on with the colours of what it is drawn on */
  readonly space: Space | undefined;
  /** Whether a colour or a pattern was chosen behind the space: without, some readers go on with the colour before. */
  readonly isChosen: boolean;
  /** Most spaces begin in black: then it makes no difference. */
  readonly isBlack: boolean;
  /** The colour: the same for two that are alike. */
  readonly says: string | symbol;
  /** The same of the last colour that was no pattern. */
  readonly plain: string | symbol;
  readonly print: Print;
  /** Of a pattern: the sides that it paints in a colour that it does not choose. */
  readonly takes?: ReadonlySet<keyof Sides>;
  /** Whether a pattern or a glyph chose it, and does not go on with what is around it. */
  readonly isOwn: boolean;
}

interface Sides {
  readonly fill: Side;
  readonly stroke: Side;
}

/** A pattern as it is painted. */
export interface PatternUse {
  readonly isColoured: boolean;
  readonly print: Print;
  readonly takes: ReadonlySet<keyof Sides>;
}

const BLACK = '1,0';

/** The colour spaces in which content paints, through `q` and `Q`. A colour must be one of its space. */
export class Colours {
  #now: Sides;
  readonly #saved: Sides[] = [];
  /** The sides that are painted in a colour from around a pattern or a glyph. */
  readonly taken: Set<keyof Sides>;

  private constructor(now: Sides, taken = new Set<keyof Sides>()) {
    this.#now = now;
    this.taken = taken;
  }

  /** It starts in black. */
  static ofPage(): Colours {
    const black = { isBlack: true, says: BLACK, plain: BLACK, print: 'dark' } as const;
    const start = { space: GRAY, isChosen: true, ...black, isOwn: true };
    return new Colours({ fill: start, stroke: start });
  }

  /** Of content that is drawn in colours from around: of a pattern or a glyph, or where nobody asks whose they are. */
  static ofCell(isOwn = false): Colours {
    const unknown = { isBlack: false, plain: '', print: 'part' } as const;
    const start = { space: undefined, isChosen: true, ...unknown, isOwn };
    return new Colours({ fill: { ...start, says: 'fill' }, stroke: { ...start, says: 'stroke' } });
  }

  /** Of a form, which goes on with these. */
  ofForm(): Colours {
    const { fill, stroke } = this.#now;
    const start = { space: undefined, isChosen: true, isBlack: false };
    return new Colours({ fill: { ...fill, ...start }, stroke: { ...stroke, ...start } }, this.taken);
  }

  /** Whether lines have the colour of areas. */
  get areAlike(): boolean {
    return this.#now.fill.says === this.#now.stroke.says;
  }

  /** What a form goes on with, as a word. */
  get key(): string {
    const { fill, stroke } = this.#now;
    return [
      ...[fill.isOwn, stroke.isOwn, this.areAlike],
      ...[fill, stroke].flatMap(({ plain, print, takes = [] }) => [plain === BLACK, print, ...takes]),
    ].join();
  }

  save(): void {
    this.#saved.push({ ...this.#now });
  }

  restore(): void {
    this.#now = this.#saved.pop() ?? this.#now;
  }

  /** @param colour of an operator that names both */
  setSpace(which: 'fill' | 'stroke', space: Space, colour?: readonly Operand[]): void {
    const wasBlack = this.#now[which].isBlack && beginsInBlack(space);
    const isBlack = colour ? isBlackIn(space, colour) : wasBlack;
    const isChosen = colour !== undefined || wasBlack;
    const says = isBlack ? BLACK : wordOf(space, colour);
    const { plain } = this.#now[which];
    const print = colour ? printOf(space, colour) : space.isInk ? 'ink' : 'part';
    this.#set(which, { space, isChosen, isBlack, says, plain: space.isPattern ? plain : says, print });
  }

  /** @param pattern whether it has colours of its own, and the sides that it paints in others @throws {Unclear} */
  setPattern(
    which: 'fill' | 'stroke',
    operands: readonly Operand[],
    { isColoured, print: its, takes }: PatternUse,
  ): void {
    const { space } = this.#now[which];
    if (space?.isPattern !== true) throw new Unclear('A pattern is used in a space of colours');
    const numbers = isColoured ? 0 : space.under?.components;
    if (operands.length - 1 !== numbers) throw new Unclear('A pattern has other colours than its space');
    const { plain } = this.#now[which];
    const says = Symbol('a pattern');
    const print = its === 'cell' && space.under?.isInk ? 'ink cell' : its;
    this.#set(which, { space, isChosen: true, isBlack: false, says, plain, print, takes });
  }

  /** @throws {Unclear} for numbers that are no colour of the space */
  setColour(which: 'fill' | 'stroke', operands: readonly Operand[]): void {
    const { space } = this.#now[which];
    if (space === undefined) throw new Unclear('A colour has no space');
    if (operands.length !== space.components) throw new Unclear('A colour has other numbers than its space');
    const isBlack = isBlackIn(space, operands);
    const says = isBlack ? BLACK : wordOf(space, operands);
    this.#set(which, { space, isChosen: true, isBlack, says, plain: says, print: printOf(space, operands) });
    const isBeyond = ({ value = 0 }: Operand, [low, high]: readonly [number, number]) =>
      value < low - NEAR || value > high + NEAR;
    if (space.bounds?.some((bounds, index) => isBeyond(operands[index] as Operand, bounds)))
      throw new Unclear('A colour is beyond what its space has');
    if (space.last === undefined) return;
    const index = operands[0]?.value ?? -1;
    if (!Number.isInteger(index) || index < 0 || index > space.last)
      throw new Unclear('A colour is not in its table');
  }

  print(which: keyof Sides): Print {
    return this.#now[which].print;
  }

  /** @throws {Unclear} */
  paint(operator: string): void {
    if (
      (!this.#now.fill.isChosen && FILLS.has(operator)) ||
      (!this.#now.stroke.isChosen && STROKES.has(operator))
    )
      throw new Unclear('A colour is painted that was not chosen');
    if (FILLS.has(operator)) this.#take('fill');
    if (STROKES.has(operator)) this.#take('stroke');
  }

  /** Patterns begin in black; mupdf goes on with the last colour that was no pattern. */
  #take(which: keyof Sides): void {
    const { isOwn, takes = [] } = this.#now[which];
    if (!isOwn) this.taken.add(which);
    for (const side of takes)
      if (this.#now[side].plain !== BLACK) throw new Unclear('A pattern does not choose its colours');
  }

  #set(which: keyof Sides, side: Omit<Side, 'isOwn'>): void {
    this.#now = { ...this.#now, [which]: { ...side, isOwn: true } };
  }
}

const wordOf = (space: Space, colour: readonly Operand[] | undefined): string | symbol =>
  colour && PLAIN.has(space)
    ? [space.components, ...colour.map(({ value }) => value)].join()
    : Symbol('a colour');

const beginsInBlack = ({ components, isPattern, isInk, last }: Space): boolean =>
  !isPattern && !isInk && last === undefined && components !== 4;

const isBlackIn = (space: Space, colour: readonly Operand[]): boolean =>
  beginsInBlack(space) && colour.every(({ value }) => value === 0);

/** What is below so much black is not seen. */
const DARK = 0.98;

function printOf(space: Space, colour: readonly Operand[]): Print {
  if (space.isInk) return 'ink';
  if (space.last !== undefined) return 'part';
  const values = colour.map(({ value = 0 }) => value);
  // Of a space that is measured or has a profile, black may be anything.
  const isPlain = PLAIN.has(space);
  if (space.components !== 4) return isPlain && values.every((value) => value <= 1 - DARK) ? 'dark' : 'whole';
  if (isPlain && (values[3] ?? 0) >= DARK) return 'dark';
  return values.some((value) => value <= 0) ? 'part' : 'whole';
}

/** Of a picture or a shading. */
export const printOfDots = ({ isInk }: Space): Print => (isInk ? 'ink' : 'whole');
