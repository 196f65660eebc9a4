import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from './accept.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Compresses what is sent. @param level of Brotli, from 0 to 11: each is smaller, and takes longer */
export const compressed = (encoding: Encoding, text: string | Buffer, level: number): Promise<Buffer> =>
  encoding === 'gzip' ? zip(text) : brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: level } });
