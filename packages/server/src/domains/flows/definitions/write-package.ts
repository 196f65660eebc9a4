import { Readable } from 'node:stream';
import type { StoredBlob } from '../../../core/blobs.ts';
import { LongText } from '../../../core/long-text.ts';
import type { FlowAssetHead } from './tables.ts';
import { PDF } from './views.ts';

/** Packages of the same content are the same bytes. Zips have local dates since 1980: an earlier one is the first in every zone. */
const MTIME = new Date(0);
const OPTIONS = { mtime: MTIME, mode: 0o100644 } as const;

const fileOf = (index: number) => `assets/${index + 1}.pdf`;

/** What the manifest says of the files. */
export const packedAssets = (assets: readonly FlowAssetHead[]): object[] =>
  assets.map((asset, index) => ({
    asset_key: asset.asset_key,
    kind: 'pdf',
    file: fileOf(index),
    mime_type: PDF,
    original_name: asset.original_name,
  }));

/**
 * The package of a definition with its files (wire 13.9), as it is written.
 * @param manifest its `flow.json`
 * @param open the bytes of a file; called for one after the other
 */
export async function writePackage(
  manifest: string,
  assets: readonly FlowAssetHead[],
  open: (asset: FlowAssetHead) => Promise<StoredBlob>,
): Promise<Readable> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const text = new LongText([manifest]);
  // Its sum takes the library long: a slice at a time, as that of the files.
  zip.addReadStreamLazy('flow.json', { ...OPTIONS, size: text.bytes }, (done) => done(null, text.stream()));
  for (const [index, asset] of assets.entries())
    zip.addReadStreamLazy(
      fileOf(index),
      { ...OPTIONS, compress: false, size: Number(asset.bytes) },
      (done) => {
        open(asset).then(
          ({ stream }) => done(null, stream),
          (error: unknown) => done(error, Readable.from([])),
        );
      },
    );
  zip.end();
  const output = new Readable().wrap(zip.outputStream);
  zip.on('error', (error: Error) => output.destroy(error));
  return output;
}
