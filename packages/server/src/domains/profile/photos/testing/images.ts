import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/*
 * Images for tests: good ones with secrets in them, and ones that were made to do harm.
 */

/** What must not be found in anything that is served. */
export const SECRET = 'Photographed by Secret Person at home';

type Encoded = 'jpeg' | 'png' | 'webp';

/** An image of one colour. Made by sharp, for it is loaded before anything is blocked. */
export async function imageOf(
  format: Encoded,
  width = 60,
  height = 40,
  background = '#cc3300',
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer();
}

/** An image of noise: it does not get smaller, whatever packs it. */
export async function noiseOf(format: Encoded, width: number, height: number): Promise<Buffer> {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .toFormat(format)
    .toBuffer();
}

/** As a phone would write it: the camera lay on its side, and it knew who and where. Left half red, right half blue. */
export async function photographed(format: Encoded): Promise<Buffer> {
  const blue = await imageOf('png', 60, 80, '#0000ff');
  return sharp({ create: { width: 120, height: 80, channels: 3, background: '#ff0000' } })
    .composite([{ input: blue, left: 60, top: 0 }])
    .withExif({
      IFD0: { Artist: SECRET, Copyright: SECRET },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' },
    })
    .withMetadata({ orientation: 6 })
    .toFormat(format)
    .toBuffer();
}

/** A PNG made of chunks by hand. */
export function png(chunks: readonly (readonly [type: string, data: Buffer])[]): Buffer {
  const parts = chunks.map(([type, data]) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  });
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts]);
}

function header(width: number, height: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  // Eight bits of grey.
  data[8] = 8;
  return data;
}

/** A few hundred bytes that promise 3.6 thousand million pixels. */
export function bombByHeader(): Buffer {
  return png([
    ['IHDR', header(60_000, 60_000)],
    ['IDAT', deflateSync(Buffer.alloc(60_000))],
    ['IEND', Buffer.alloc(0)],
  ]);
}

/** A chunk of text that unpacks to a hundred megabytes, in an image of four pixels. */
export function bombByText(): Buffer {
  const text = deflateSync(Buffer.alloc(100 * 1024 * 1024, 'x'), { level: 9 });
  return png([
    ['IHDR', header(2, 2)],
    ['zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), text])],
    ['IDAT', deflateSync(Buffer.alloc(6))],
    ['IEND', Buffer.alloc(0)],
  ]);
}

/** An image that is a web page too: text in a chunk, and more of it behind the end. */
export function polyglotPng(): Buffer {
  const page = `<script>alert('${SECRET}')</script>`;
  const image = png([
    ['IHDR', header(2, 2)],
    ['tEXt', Buffer.from(`Comment\0${page}`, 'latin1')],
    ['IDAT', deflateSync(Buffer.alloc(6))],
    ['IEND', Buffer.alloc(0)],
  ]);
  return Buffer.concat([image, Buffer.from(`<html>${page}</html>`)]);
}

/** An image with an archive behind its end. */
export async function polyglotJpeg(): Promise<Buffer> {
  return Buffer.concat([await imageOf('jpeg'), Buffer.from(`PK\u0003\u0004${SECRET}`, 'latin1')]);
}

export const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd" width="9" height="9"/></svg>',
);

/** A GIF of one pixel. */
export const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** An SVG that begins like a JPEG, like a PNG, like a WebP. */
export const disguised = [
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), SVG]),
  Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), SVG]),
  Buffer.concat([Buffer.from('RIFF\x40\x00\x00\x00WEBP', 'latin1'), SVG]),
] as const;

export const dataUri = (mediaType: string, bytes: Buffer) =>
  `data:${mediaType};base64,${bytes.toString('base64')}`;
