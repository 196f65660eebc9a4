/** Dots of the largest picture that readers here draw: a page of A3 at 600 dpi has half as many. */
export const PICTURE_DOTS_MOST = 128 * 2 ** 20;
