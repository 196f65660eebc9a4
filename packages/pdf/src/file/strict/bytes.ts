import { Unclear } from '../raw/tokens.ts';

/** Numbers in bytes, the greatest part first. */
export const viewOf = (data: Uint8Array): DataView =>
  new DataView(data.buffer, data.byteOffset, data.byteLength);

/** A number with 16 bits behind its point. @throws {RangeError} beyond the end */
export const fixedAt = (view: DataView, at: number): number => view.getInt32(at) / 65_536;

/** A part of 1, in one byte or two. @throws {RangeError} beyond the end */
export const fractionAt = (view: DataView, at: number, size: 1 | 2): number =>
  size === 1 ? view.getUint8(at) / 255 : view.getUint16(at) / 65_535;

/**
 * Data that end too early are not clear: some readers go on with zeros, others take nothing of them.
 * @param read may throw {RangeError}, as a view does beyond its end
 * @throws {Unclear}
 */
export function whole<Result>(message: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof RangeError) throw new Unclear(message, { cause });
    throw cause;
  }
}
