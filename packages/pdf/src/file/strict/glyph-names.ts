/** A letter, with an accent or without. */
const LETTER =
  /^[A-Za-z](?:acute|bar|breve|caron|cedilla|circumflex|commaaccent|croat|dieresis|dot|dotaccent|grave|hungarumlaut|macron|ogonek|ring|slash|tilde)?$/;
/** A letter of the Greek alphabet, the Cyrillic and others by numbers, or one by its code in Unicode. */
const OTHER =
  /^(?:(?:[Aa]lpha|[Bb]eta|[Gg]amma|[Dd]elta|[Ee]psilon|[Zz]eta|[Ee]ta|[Tt]heta|[Ii]ota|[Kk]appa|[Ll]ambda|[Mm]u|[Nn]u|[Xx]i|[Oo]micron|[Pp]i|[Rr]ho|[Ss]igma|[Tt]au|[Uu]psilon|[Pp]hi|[Cc]hi|[Pp]si|[Oo]mega)(?:tonos|dieresis|dieresistonos|1)?|afii\d{5}|uni[\dA-F]{4})$/;
const WORDS: ReadonlySet<string> = new Set([
  '.notdef',
  ...'AE OE Eth Thorn ae oe eth thorn germandbls dotlessi dotlessj longs ff fi fl ffi ffl Eng eng IJ ij kgreenlandic napostrophe ldot Ldot'.split(
    ' ',
  ),
  ...'space nbspace nonbreakingspace sfthyphen exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period slash'.split(
    ' ',
  ),
  ...'zero one two three four five six seven eight nine colon semicolon less equal greater question at bracketleft backslash bracketright'.split(
    ' ',
  ),
  ...'asciicircum underscore quoteleft quoteright braceleft bar braceright asciitilde exclamdown cent sterling currency yen brokenbar section'.split(
    ' ',
  ),
  ...'copyright ordfeminine guillemotleft guillemotright logicalnot registered degree plusminus onesuperior twosuperior threesuperior mu paragraph'.split(
    ' ',
  ),
  ...'periodcentered middot ordmasculine onequarter onehalf threequarters questiondown multiply divide Euro florin ellipsis dagger daggerdbl'.split(
    ' ',
  ),
  ...'perthousand guilsinglleft guilsinglright quotesinglbase quotedblbase quotedblleft quotedblright bullet endash emdash trademark fraction'.split(
    ' ',
  ),
  ...'acute breve caron cedilla circumflex dieresis dotaccent grave hungarumlaut macron ogonek ring tilde overscore'.split(
    ' ',
  ),
  ...'minus partialdiff summation product radical infinity integral approxequal notequal lessequal greaterequal lozenge apple commaaccent'.split(
    ' ',
  ),
  // Of the standard font for symbols.
  ...'universal existential suchthat congruent asteriskmath therefore perpendicular radicalex similar minute second proportional equivalence arrowvertex'.split(
    ' ',
  ),
  ...'arrowhorizex carriagereturn aleph Ifraktur Rfraktur weierstrass circlemultiply circleplus emptyset intersection union propersuperset reflexsuperset'.split(
    ' ',
  ),
  ...'notsubset propersubset reflexsubset element notelement angle gradient registerserif copyrightserif trademarkserif dotmath logicaland logicalor'.split(
    ' ',
  ),
  ...'arrowleft arrowup arrowright arrowdown arrowboth arrowdblleft arrowdblup arrowdblright arrowdbldown arrowdblboth angleleft angleright'.split(
    ' ',
  ),
  ...'registersans copyrightsans trademarksans club diamond heart spade integraltp integralex integralbt'.split(
    ' ',
  ),
  ...['paren', 'bracket', 'brace'].flatMap((kind) =>
    ['lefttp', 'leftex', 'leftmid', 'leftbt', 'righttp', 'rightex', 'rightmid', 'rightbt'].map(
      (part) => kind + part,
    ),
  ),
  'braceex',
]);
/** Of the standard font for pictures. */
const DINGBAT = /^a\d{1,3}$/;

/** Whether readers know what a glyph of this name looks like, where the font itself is not in the file (ISO 32000-2, annex D). */
export function isGlyphName(name: string, font: string): boolean {
  return (
    LETTER.test(name) ||
    OTHER.test(name) ||
    WORDS.has(name) ||
    (font === 'ZapfDingbats' && DINGBAT.test(name))
  );
}
