import { file } from './drawn-apart.ts';
import { compact, type1 } from './font-programs.ts';
import { stream } from './samples.ts';

/*
 * Files with a font whose program each reader takes in its own way. The amount on the page is written in it.
 */

const AMOUNT = 'BT /F1 18 Tf 20 100 Td (RENT) Tj ET BT /F2 18 Tf 90 100 Td (494) Tj ET';
export const WIDTHS = Array.from({ length: 10 }, () => '600').join(' ');

/** A page in a font by such a program. */
export const written = (
  key: string,
  program: Buffer,
  entries = '',
  kind = 'Type1',
  encoding = '/WinAnsiEncoding',
) =>
  file({
    content: AMOUNT,
    resources: '/Font<</F1 3 0 R/F2 4 0 R>>',
    more: [
      [
        4,
        `<</Type/Font/Subtype/${kind}/BaseFont/Own/Encoding${encoding}/FontDescriptor 5 0 R/FirstChar 48/LastChar 57/Widths[${WIDTHS}]>>`,
      ],
      [
        5,
        `<</Type/FontDescriptor/FontName/Own/Flags 32/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent 0/CapHeight 700/StemV 80/${key} 6 0 R>>`,
      ],
      [6, stream(program, entries)],
    ],
  });

const BOX = '400 hlineto 600 vlineto -400 hlineto';
const EMPTY: readonly [string, string] = ['.notdef', '0 500 hsbw endchar'];
const FOUR = `50 600 hsbw 0 vmoveto ${BOX} closepath endchar`;
const NINE = `50 600 hsbw 100 vmoveto ${BOX} closepath endchar`;

type Change = Parameters<typeof type1>[1];
const byType1 = (
  four: string,
  { subrs = [] as readonly string[], change = {} as Change, more = [] as [string, string][] } = {},
) => {
  const program = type1({ glyphs: [EMPTY, ['four', four], ['nine', NINE], ...more], subrs }, change);
  return written(
    'FontFile',
    program.data,
    `/Length1 ${program.clear}/Length2 ${program.data.length - program.clear}/Length3 0`,
  );
};
const clear = (from: string, to: string): Change => ({ clear: (text) => text.replace(from, to) });
const hidden = (from: string, to: string): Change => ({ hidden: (text) => text.replace(from, to) });

/** In a font with differences and without a base, whose program has codes. */
function withOwnCodes(lines: string, differences: string): () => Buffer {
  const program = type1(
    { glyphs: [EMPTY, ['four', FOUR], ['nine', NINE]] },
    clear('StandardEncoding def', `256 array ${lines} readonly def`),
  );
  return written(
    'FontFile',
    program.data,
    `/Length1 ${program.clear}/Length2 ${program.data.length - program.clear}/Length3 0`,
    'Type1',
    `<</Type/Encoding/Differences${differences}>>`,
  );
}

/** Of a flex: seven points, and where it ends. */
const flex = (end: string) =>
  `50 600 hsbw 0 vmoveto 100 hlineto 1 callsubr 50 50 rmoveto 2 callsubr -50 -50 rmoveto 2 callsubr 50 0 rmoveto 2 callsubr 0 10 rmoveto 2 callsubr 50 0 rmoveto 2 callsubr 50 -10 rmoveto 2 callsubr 50 0 rmoveto 2 callsubr 50 ${end} 0 callsubr 100 vlineto closepath endchar`;
const FLEXES = [
  '3 0 callothersubr pop pop setcurrentpoint return',
  '0 1 callothersubr return',
  '0 2 callothersubr return',
  'return',
  '1 3 callothersubr pop callsubr return',
  '0 20 hstem return',
  '100 hlineto return',
];

const C_EMPTY: readonly [string, string] = ['.notdef', 'endchar'];
const C_NINE = `50 100 rmoveto ${BOX} endchar`;
const byCompact = (
  four: string,
  {
    subrs = [] as readonly string[],
    more = [] as [string, string][],
    entries = Buffer.alloc(0),
    own = [] as readonly string[],
  } = {},
) =>
  written(
    'FontFile3',
    compact({ glyphs: [C_EMPTY, ['four', four], ['nine', C_NINE], ...more], subrs }, entries, own),
    '/Subtype/Type1C',
  );

/** Each is refused as `ambiguous`. */
export const PROGRAMS_APART: Readonly<Record<string, () => Buffer>> = {
  'Type 1: a glyph with an operator that is none': byType1(
    `50 600 hsbw 0 50 add vmoveto ${BOX} closepath endchar`,
  ),
  'Type 1: a glyph with a number too many': byType1(`50 600 hsbw 7 0 vmoveto ${BOX} closepath endchar`),
  'Type 1: a glyph with a number that is too large': byType1(
    `50 600 hsbw #65536 vmoveto ${BOX} closepath endchar`,
  ),
  'Type 1: a glyph without a width': byType1(`0 vmoveto ${BOX} closepath endchar`),
  'Type 1: a line behind the end of a path': byType1(
    `50 600 hsbw 0 vmoveto ${BOX} closepath 100 hlineto endchar`,
  ),
  'Type 1: a glyph without an end': byType1(`50 600 hsbw 0 vmoveto ${BOX} closepath`),
  'Type 1: a glyph that ends in a number': byType1(`50 600 hsbw 0 vmoveto ${BOX} closepath`, {
    more: [['five', '50 600 hsbw x247']],
  }),
  'Type 1: a glyph that calls what is not there': byType1('50 600 hsbw 9 callsubr endchar'),
  'Type 1: a glyph that calls itself': byType1('50 600 hsbw 0 callsubr endchar', { subrs: ['0 callsubr'] }),
  'Type 1: a program that readers do not know': byType1(
    `50 600 hsbw 7 1 12 callothersubr 0 vmoveto ${BOX} endchar`,
  ),
  'Type 1: a flex that ends elsewhere': byType1(flex('300 60'), { subrs: FLEXES }),
  'Type 1: a change of hints that draws': byType1(
    `50 600 hsbw 0 vmoveto 6 4 callsubr ${BOX} closepath endchar`,
    {
      subrs: FLEXES,
    },
  ),
  'Type 1: an accent that is missing': byType1('50 600 hsbw 0 0 0 65 193 seac', { more: [['A', NINE]] }),
  'Type 1: an accent behind a path that is closed': byType1(FOUR, {
    more: [
      ['A', FOUR],
      ['grave', FOUR],
      ['Agrave', `50 600 hsbw 0 vmoveto ${BOX} closepath 50 0 0 65 193 seac`],
    ],
  }),
  'Type 1: a glyph twice': byType1(FOUR, { more: [['four', NINE]] }),
  'Type 1: its glyphs twice': byType1(FOUR, {
    change: hidden('2 index', '/CharStrings 0 dict dup begin end 2 index'),
  }),
  'Type 1: a word that readers look for, in a comment': byType1(FOUR, {
    change: hidden('/lenIV 4 def', '% /lenIV 1 def\n/lenIV 4 def'),
  }),
  'Type 1: how many bytes stand before glyphs, in a procedure': byType1(FOUR, {
    change: hidden('/lenIV 4 def', '{/lenIV 4 def}'),
  }),
  'Type 1: bytes behind another word': byType1(FOUR, {
    change: { hidden: (text) => text.replaceAll(' RD ', ' XX ') },
  }),
  'Type 1: its matrix in a text': byType1(FOUR, {
    change: clear(
      '/FontMatrix [0.001 0 0 0.001 0 0] readonly def',
      '/X (\n/FontMatrix [0.001 0 0 0.001 0 0]) def',
    ),
  }),
  'Type 1: its matrix in a comment': byType1(FOUR, { change: clear('/FontMatrix', '% /FontMatrix') }),
  'Type 1: glyphs before those that are encrypted': byType1(FOUR, {
    change: clear('/FontBBox', '/CharStrings 0 dict def /FontBBox'),
  }),
  'Type 1: codes among what is encrypted': byType1(FOUR, {
    change: hidden('/lenIV', '/Encoding StandardEncoding def /lenIV'),
  }),
  'Type 1: glyphs behind its end': byType1(FOUR, {
    change: hidden('closefile\n', 'closefile\n/CharStrings 0 dict'),
  }),
  'Type 1: how many bytes stand before glyphs, behind their parts': byType1(FOUR, {
    change: { hidden: (text) => text.replace('/lenIV 4 def', '').replace('2 index', '/lenIV 4 def 2 index') },
  }),
  'Type 1: a glyph behind its end': byType1(
    `50 600 hsbw 0 vmoveto ${BOX} closepath endchar 50 0 0 52 52 seac`,
  ),
  'Type 1: a number behind the end of a glyph': byType1(`50 600 hsbw 0 vmoveto ${BOX} closepath endchar 0`),
  'Type 1: a hint among the points of a flex': byType1(
    flex('350 0').replace('rmoveto 2', 'rmoveto dotsection 2'),
    {
      subrs: FLEXES,
    },
  ),
  'Type 1: a number that is divided twice': byType1(
    `50 600 hsbw #100000 1000 1 div div vmoveto ${BOX} closepath endchar`,
  ),
  'Type 1: a blank behind the slash of its glyphs': byType1(FOUR, {
    change: hidden('2 index', '/ CharStrings 0 dict dup begin end 2 index'),
  }),
  'Type 1: a blank behind the slash of its matrix': byType1(FOUR, {
    change: clear('/FontBBox', '/ FontMatrix [0.001 0 0 -0.001 0 0] def /FontBBox'),
  }),
  'Type 1: a comment behind the slash of its codes': byType1(FOUR, {
    change: clear('/FontBBox', '/%\nEncoding StandardEncoding def /FontBBox'),
  }),
  'Type 1: a box that is in a text': byType1(FOUR, {
    change: clear('/FontMatrix', '/X (/FontBBox ) def /FontMatrix'),
  }),
  'Type 1: a list that is none': byType1(FOUR, {
    change: hidden('/lenIV 4 def', '/BlueValues 1 def /lenIV 4 def /X[ ]def'),
  }),
  'Type 1: a list of names': byType1(FOUR, {
    change: hidden('/lenIV 4 def', '/BlueValues [/lenIV 4] def /lenIV 4 def'),
  }),
  'Type 1: a value that is a name': byType1(FOUR, {
    change: hidden('/lenIV 4 def', '/BlueFuzz /X def /lenIV 4 def'),
  }),
  'Type 1: a zero behind a name': byType1(FOUR, { change: hidden('/four ', '/four\0 ') }),
  'Type 1: a comment right behind a name': byType1(FOUR, { change: hidden('/four ', '/four%\n') }),
  'Type 1: more glyphs than it says': byType1(FOUR, { change: hidden('/CharStrings 3', '/CharStrings 1') }),
  'Type 1: a word that ends as the last one does': byType1(FOUR, {
    change: clear('/FontBBox', '/Xeexec 1 def /FontBBox'),
  }),
  'Type 1: codes of its own beside differences': withOwnCodes(
    'dup 52 /nine put dup 57 /nine put',
    '[57/nine]',
  ),
  'Type 1: its codes twice': byType1(FOUR, {
    change: clear('/FontBBox', '/Encoding StandardEncoding def /FontBBox'),
  }),
  'Type 1: a code twice': byType1(FOUR, {
    change: clear('StandardEncoding def', '256 array dup 52 /four put dup 52 /nine put readonly def'),
  }),
  'Type 1: a code by another base': byType1(FOUR, {
    change: clear('StandardEncoding def', '256 array dup 8#64 /nine put readonly def'),
  }),
  'Type 1: glyphs upside down': byType1(FOUR, { change: clear('0 0.001 0 0]', '0 -0.001 0 0]') }),
  'Type 1: an encrypted part before the one that is told': byType1(FOUR, {
    change: clear('/FontBBox', 'currentfile eexec\n/FontBBox'),
  }),
  'compact: a glyph that computes': byCompact(`50 40 60 add rmoveto ${BOX} endchar`),
  'compact: a glyph by chance': byCompact(`50 random rmoveto ${BOX} endchar`),
  'compact: a number too many': byCompact(`1 2 50 0 rmoveto ${BOX} endchar`),
  'compact: a line before a path': byCompact(`${BOX} endchar`),
  'compact: half a curve': byCompact('50 0 rmoveto 10 10 10 10 10 rrcurveto endchar'),
  'compact: a glyph without an end': byCompact(`50 0 rmoveto ${BOX}`),
  'compact: a glyph that calls what is not there': byCompact('50 0 rmoveto 0 callsubr endchar'),
  'compact: a glyph that calls itself': byCompact('50 0 rmoveto -107 callsubr endchar', {
    subrs: ['-107 callsubr'],
  }),
  'compact: an accent that is missing': byCompact('0 0 65 193 endchar'),
  'compact: an accent behind a path': byCompact(`50 0 rmoveto ${BOX} 0 0 52 52 endchar`),
  'compact: a sign twice, once by a name of its own': byCompact(C_NINE, {
    more: [
      ['comma', C_NINE],
      [',', C_NINE],
    ],
  }),
  'compact: a glyph behind its end': byCompact(`50 0 rmoveto ${BOX} endchar 0 0 52 52 endchar`),
  'compact: a mark between the edges of a path': byCompact(
    `50 0 rmoveto ${BOX} dotsection 0 10 rlineto endchar`,
  ),
  'compact: more glyphs than its list names': written(
    'FontFile3',
    compact({
      glyphs: [C_EMPTY, ...Array.from({ length: 240 }, (): [string, string] => ['four', C_NINE])],
      charset: 0,
    }),
    '/Subtype/Type1C',
  ),
  'compact: a program of TrueType by its kind': written(
    'FontFile3',
    compact({ glyphs: [C_EMPTY, ['four', C_NINE], ['nine', C_NINE]] }),
    '/Subtype/Type1C',
    'TrueType',
  ),
  'compact: a glyph twice': byCompact(`50 0 rmoveto ${BOX} endchar`, { more: [['four', C_NINE]] }),
  'compact: a name of its own that all share': byCompact(C_NINE, { own: ['four'] }),
  'compact: a matrix of its own': byCompact(C_NINE, {
    entries: Buffer.of(30, 0xa0, 0x02, 0xff, 139, 139, 30, 0xa0, 0x01, 0xff, 139, 139, 12, 7),
  }),
  'compact: glyphs of the old kind': byCompact(C_NINE, { entries: Buffer.of(140, 12, 6) }),
  'compact: an entry twice': byCompact(C_NINE, { entries: Buffer.of(141, 12, 6, 141, 12, 6) }),
};

/** Near to these, and the same to every reader. */
export const PROGRAMS_ALIKE: Readonly<Record<string, () => Buffer>> = {
  'Type 1: a program': byType1(FOUR),
  'Type 1: a number by two others': byType1(`50 600 hsbw #100000 1000 div vmoveto ${BOX} closepath endchar`),
  'Type 1: a flex': byType1(flex('350 0'), { subrs: FLEXES }),
  'Type 1: a change of hints': byType1(`50 600 hsbw 0 vmoveto 5 4 callsubr ${BOX} closepath endchar`, {
    subrs: FLEXES,
  }),
  'Type 1: a letter with its accent': byType1(FOUR, {
    more: [
      ['A', FOUR],
      ['grave', FOUR],
      ['Agrave', '50 600 hsbw 50 0 0 65 193 seac'],
    ],
  }),
  'Type 1: codes of its own': byType1(FOUR, {
    change: clear(
      'StandardEncoding def',
      '256 array\n0 1 255 {1 index exch /.notdef put} for\ndup 52 /four put\nreadonly def',
    ),
  }),
  'Type 1: many comments': byType1(FOUR, {
    change: hidden('/lenIV 4 def', `${'%\n'.repeat(20_000)}/lenIV 4 def`),
  }),
  'Type 1: a text with brackets and marks before its matrix': byType1(FOUR, {
    change: clear('/FontMatrix', '/Notice (a \\( b (c) % d) def\n/FontMatrix'),
  }),
  'Type 1: an end in a part, and a word behind it': byType1('50 600 hsbw 0 callsubr', {
    subrs: [`0 vmoveto ${BOX} closepath endchar return`],
    change: hidden('2 index', '2 index%\n'),
  }),
  'compact: a mark between two paths': byCompact(
    `50 0 rmoveto dotsection ${BOX} dotsection 0 10 rmoveto ${BOX} dotsection endchar`,
  ),
  'compact: a letter with its accent': byCompact(C_NINE, {
    more: [
      ['A', C_NINE],
      ['grave', C_NINE],
      ['Agrave', '0 100 65 193 endchar'],
    ],
  }),
  'compact: glyphs with hints': byCompact(`0 20 hstemhm 0 20 hintmask x64 50 0 rmoveto ${BOX} endchar`),
  'Type 1: codes of its own that the differences tell too': withOwnCodes(
    'dup 52 /nine put dup 57 /four put',
    '[52/four 57/nine]',
  ),
  'Type 1: a comment among its glyphs': byType1(FOUR, {
    change: hidden('/lenIV 4 def', '% a comment\n/lenIV 4 def'),
  }),
  'compact: a program': byCompact(`50 0 rmoveto ${BOX} endchar`),
  'compact: a program with its width': byCompact(`20 50 0 rmoveto ${BOX} endchar`),
  'compact: parts of a glyph': byCompact('50 0 rmoveto -107 callsubr endchar', { subrs: [`${BOX} return`] }),
  'compact: its usual matrix': byCompact(C_NINE, {
    entries: Buffer.of(30, 0xa0, 0x01, 0xff, 139, 139, 30, 0xa0, 0x01, 0xff, 139, 139, 12, 7),
  }),
};
