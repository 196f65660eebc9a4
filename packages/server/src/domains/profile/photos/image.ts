import { limits } from '@symbolon/protocol';
import type { Sharp, SharpOptions } from 'sharp';
import { PlatformError } from '../../../core/errors.ts';

export interface RenderedImage {
  readonly mediaType: MediaType;
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
  /** Its small form, WebP. */
  readonly thumb: Buffer;
}

const mediaTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type MediaType = (typeof mediaTypes)[number];
export const THUMB_TYPE = 'image/webp';

const ENCODED: Readonly<Record<MediaType, (image: Sharp) => Sharp>> = {
  'image/jpeg': (image) => image.jpeg({ quality: 88 }),
  'image/png': (image) => image.png(),
  'image/webp': (image) => image.webp({ quality: 88 }),
};

/** An image that takes longer is refused as an attack. */
const SECONDS_MOST = 20;

/**
 * Encodes an image again from its pixels: upright, without metadata or anything else the file had beside them, in the colours
 * of sRGB, within the edge a photo may have; of an animation, its first picture. What is served was written by us.
 * @throws {PlatformError} photos.bad_mime, photos.too_many_pixels, photos.invalid_image, photos.too_large
 */
export async function renderImage(file: Buffer): Promise<RenderedImage> {
  const mediaType = mediaTypeOf(file);
  if (mediaType === undefined) throw new PlatformError('photos.bad_mime');
  const sharp = await loadSharp();
  // The bound counts what the header promises, before anything is decoded; a warning is damage.
  const options: SharpOptions = { limitInputPixels: limits.photoPixels, failOn: 'warning' };
  const within = (edge: number) =>
    ({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true }) as const;
  try {
    const upright = sharp(file, options).timeout({ seconds: SECONDS_MOST }).autoOrient();
    const { data: bytes, info } = await ENCODED[mediaType](upright.resize(within(limits.photoEdge))).toBuffer(
      {
        resolveWithObject: true,
      },
    );
    if (bytes.length > limits.fileBytes) throw new PlatformError('photos.too_large');
    const thumb = await sharp(bytes).resize(within(limits.photoThumbEdge)).webp({ quality: 80 }).toBuffer();
    return { mediaType, width: info.width, height: info.height, bytes, thumb };
  } catch (error) {
    if (error instanceof PlatformError) throw error;
    const tooMany = error instanceof Error && error.message.includes('exceeds pixel limit');
    throw new PlatformError(tooMany ? 'photos.too_many_pixels' : 'photos.invalid_image', { cause: error });
  }
}

/** What the bytes begin like; what they are declared as counts for nothing. */
export function mediaTypeOf(file: Buffer): MediaType | undefined {
  if (file.subarray(0, 3).equals(JPEG)) return 'image/jpeg';
  if (file.subarray(0, 8).equals(PNG)) return 'image/png';
  const isWebp = file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'image/webp' : undefined;
}

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

let loading: Promise<typeof import('sharp').default> | undefined;

/** Loaded for the first image, for it takes a while; it reads the three formats and no other. */
function loadSharp(): Promise<typeof import('sharp').default> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
    });
    // Every image comes once: nothing is gained by keeping pixels.
    sharp.cache(false);
    return sharp;
  });
  return loading;
}
