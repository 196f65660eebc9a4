import { crc32 } from 'node:zlib';
import { limits } from '@symbolon/protocol';
import type { Entry, ZipFile } from 'yauzl';
import { PlatformError } from '../../../core/errors.ts';
import { DEFINITION_BOUNDS, packageInvalid as invalid, MANIFEST, type Manifest } from './manifest.ts';
import { isPdf } from './pdf-file.ts';

/** A file of a package. */
export interface PackedAsset {
  readonly key: string;
  readonly originalName: string;
  readonly bytes: Buffer;
}

export interface FlowPackage {
  /** JSON as it stands in the package: its form is not checked. */
  readonly definition: string;
  readonly assets: readonly PackedAsset[];
}

const FOLDER = 'assets/';
/** Files that a package may hold, with folders and what some archivers add. */
const ENTRIES_MOST = 4 * limits.flowAssetsMost;
/** The bits of a Unix mode that say what an entry is. */
const [TYPE_BITS, REGULAR, DIRECTORY] = [0o170000, 0o100000, 0o040000];

/**
 * Reads a package: a zip with `flow.json` and the files that it names (wire 13.9). Nothing is unpacked to a disk, nothing
 * larger than it says, and nothing that `flow.json` does not name.
 * @param read reads the manifest: it may be long
 * @throws {PlatformError} flows.package_invalid
 */
export async function readPackage(
  bytes: Buffer,
  read: (manifest: Buffer) => Promise<Manifest>,
): Promise<FlowPackage> {
  const { fromBufferPromise } = await import('yauzl');
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true }).catch(
    (cause: unknown) => {
      throw invalid('It is not a zip file.', cause);
    },
  );
  const entries = await entriesOf(zip);
  const { definition, assets: listed } = await read(
    await unpack(zip, entries, MANIFEST, DEFINITION_BOUNDS.structureBytes),
  );
  const assets: PackedAsset[] = [];
  for (const { key, file, originalName } of listed) {
    const name = entries.has(file) ? file : `${FOLDER}${file}`;
    const content = await unpack(zip, entries, name, limits.fileBytes);
    if (!isPdf(content)) throw invalid(`${name} is not a PDF.`);
    assets.push({ key, originalName, bytes: content });
  }
  return { definition, assets };
}

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  if (zip.entryCount > ENTRIES_MOST) throw invalid(`It has more than ${ENTRIES_MOST} entries.`);
  let unpacked = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      refuseEntry(entry);
      if (entries.has(entry.fileName)) throw invalid(`${entry.fileName} stands twice in it.`);
      entries.set(entry.fileName, entry);
      unpacked += entry.uncompressedSize;
      if (unpacked > limits.flowPackageBytes)
        throw invalid(`Unpacked it has more than ${limits.flowPackageBytes} bytes.`);
    }
  } catch (error) {
    throw asInvalid(error);
  }
  return entries;
}

/** Names that lead out of the package are refused by the reader. */
function refuseEntry(entry: Entry): void {
  const type = (entry.externalFileAttributes >>> 16) & TYPE_BITS;
  if (type !== 0 && type !== REGULAR && type !== DIRECTORY)
    throw invalid(`${entry.fileName} is no plain file.`);
  if (entry.isEncrypted()) throw invalid(`${entry.fileName} is encrypted.`);
}

async function unpack(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  name: string,
  most: number,
): Promise<Buffer> {
  const entry = entries.get(name);
  if (entry === undefined) throw invalid(`${name} is missing.`);
  if (entry.uncompressedSize > most) throw invalid(`${name} has more than ${most} bytes.`);
  const pieces: Buffer[] = [];
  try {
    // The reader ends an entry that turns out larger than it says.
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
  } catch (error) {
    throw asInvalid(error);
  }
  const content = Buffer.concat(pieces);
  if (crc32(content) !== entry.crc32) throw invalid(`${name} is damaged.`);
  return content;
}

function asInvalid(error: unknown): unknown {
  return error instanceof PlatformError ? error : invalid('It is damaged, or not a plain zip file.', error);
}
