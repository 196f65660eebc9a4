const MARK = Buffer.from('\ufeff');

/** A text in UTF-8 without the mark that some editors write before it (RFC 8259 8.1 lets readers pass over it). */
export const withoutMark = (text: Buffer): Buffer =>
  text.subarray(0, MARK.length).equals(MARK) ? text.subarray(MARK.length) : text;
