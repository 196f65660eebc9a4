const HEADER = Buffer.from('%PDF-');

/** Whether bytes begin as those of a PDF do: the check `pdf` of wire 2.4. */
export const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, HEADER.length).equals(HEADER);
