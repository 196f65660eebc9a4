import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { proves } from '@symbolon/testkit/evidence/evidence';
import sharp from 'sharp';
import type { PlatformError } from '../../../core/errors.ts';
import { renderImage } from './image.ts';
import {
  bombByHeader,
  bombByText,
  disguised,
  GIF,
  imageOf,
  noiseOf,
  photographed,
  polyglotJpeg,
  polyglotPng,
  SECRET,
  SVG,
} from './testing/images.ts';

for (const format of ['jpeg', 'png', 'webp'] as const) {
  test(`a ${format} comes out upright, without metadata, with a small form`, async () => {
    const taken = await photographed(format);
    assert.ok(taken.includes(SECRET), 'the test needs a secret to lose');
    const image = await renderImage(taken);
    assert.equal(image.mediaType, `image/${format}`);
    // It lay on its side: what was left is now on top.
    assert.deepEqual([image.width, image.height], [80, 120]);
    for (const bytes of [image.bytes, image.thumb]) {
      assert.ok(!bytes.includes(SECRET));
      const { exif, icc, xmp, iptc, orientation, width, height } = await sharp(bytes).metadata();
      assert.deepEqual([exif, icc, xmp, iptc, orientation], Array(5).fill(undefined));
      assert.deepEqual([width, height], [80, 120]);
      const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const [red = 0, , blue = 0] = data;
      assert.ok(red > 200 && blue < 60, 'red is on top');
      const [lastRed = 255, , lastBlue = 0] = data.subarray(-3);
      assert.ok(lastRed < 60 && lastBlue > 200, 'blue is at the bottom');
    }
    assert.equal((await sharp(image.thumb).metadata()).format, 'webp');
  });
}

test('large images are made smaller, small ones are not made larger', async () => {
  const large = await renderImage(await imageOf('jpeg', 5000, 2500));
  assert.deepEqual([large.width, large.height], [limits.photoEdge, limits.photoEdge / 2]);
  const thumb = await sharp(large.thumb).metadata();
  assert.deepEqual([thumb.width, thumb.height], [limits.photoThumbEdge, limits.photoThumbEdge / 2]);
  const small = await renderImage(await imageOf('png', 3, 2));
  assert.deepEqual([small.width, small.height], [3, 2]);
  proves('limit:photoEdge', 'limit:photoThumbEdge');
  assert.equal((await sharp(small.thumb).metadata()).width, 3);
});

test('colours outside sRGB and deep pixels come out as what every screen shows', async () => {
  const create = { width: 8, height: 8, channels: 3 as const, background: '#ff0000' };
  const cmyk = await sharp({ create }).toColourspace('cmyk').jpeg().toBuffer();
  assert.equal((await sharp((await renderImage(cmyk)).bytes).metadata()).space, 'srgb');
  const deep = await sharp({ create }).toColourspace('rgb16').png().toBuffer();
  assert.equal((await sharp((await renderImage(deep)).bytes).metadata()).depth, 'uchar');
});

test('an animation becomes its first picture', async () => {
  const frames = await Promise.all(['#ff0000', '#0000ff'].map((colour) => imageOf('png', 10, 10, colour)));
  const animated = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer();
  assert.equal((await sharp(animated, { pages: -1 }).metadata()).pages, 2);
  const image = await renderImage(animated);
  const { pages, height } = await sharp(image.bytes, { pages: -1 }).metadata();
  assert.deepEqual([pages ?? 1, height], [1, 10]);
});

test('what hides in an image or behind it does not come out', async () => {
  for (const file of [polyglotPng(), await polyglotJpeg()]) {
    assert.ok(file.includes(SECRET));
    const image = await renderImage(file);
    for (const bytes of [image.bytes, image.thumb]) {
      assert.ok(!bytes.includes(SECRET));
      assert.ok(!bytes.includes('script') && !bytes.includes('PK\u0003\u0004'));
    }
  }
});

async function refused(key: string, file: Buffer, told: string): Promise<void> {
  await assert.rejects(renderImage(file), (error: PlatformError) => {
    assert.equal(error.key, key, `${told}: ${error.stack}`);
    assert.doesNotMatch(error.message, /vips|sharp/i);
    return true;
  });
}

test('other formats are refused, whatever they begin with', async () => {
  await refused('photos.bad_mime', SVG, 'an SVG');
  await refused('photos.bad_mime', GIF, 'a GIF');
  await refused('photos.bad_mime', Buffer.alloc(0), 'nothing');
  await refused('photos.bad_mime', Buffer.from('%PDF-1.7'), 'a PDF');
  for (const file of disguised) await refused('photos.invalid_image', file, 'an SVG in disguise');
});

test('damaged images are refused, wherever the damage is', async () => {
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    const whole = await noiseOf(format, 100, 100);
    for (const part of [0.02, 0.5, 0.9]) {
      const cut = whole.subarray(0, Math.max(16, Math.floor(whole.length * part)));
      await refused('photos.invalid_image', cut, `${format} cut at ${part}`);
    }
  }
  const png = await noiseOf('png', 100, 100);
  png[png.length >> 1] = (png[png.length >> 1] ?? 0) ^ 0xff;
  await refused('photos.invalid_image', png, 'a flipped byte');
});

test('bombs are refused before they go off', async () => {
  const before = process.memoryUsage().rss;
  await refused('photos.too_many_pixels', bombByHeader(), 'a header that promises too much');
  const wide = await imageOf('jpeg', 10_000, 5001);
  await refused('photos.too_many_pixels', wide, 'one row of pixels too many');
  // An unknown chunk is skipped or refused, but never unpacked.
  const text = await renderImage(bombByText()).catch((error: PlatformError) => error.key);
  assert.ok(typeof text !== 'string' || text === 'photos.invalid_image');
  const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
  proves('limit:photoPixels');
  assert.ok(grown < 400, `${grown} MiB`);
});

test('an image that is too large when it is made again is refused', async () => {
  await refused('photos.too_large', await noiseOf('png', 2400, 2400), 'noise');
});
