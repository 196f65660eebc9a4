import { crc32 } from 'node:zlib';
import { flowLimits, limits } from '@symbolon/protocol';
import type { Entry, ZipFile } from 'yauzl';
import { fromBufferPromise } from 'yauzl';
import { PlatformError } from '../../../core/errors.ts';
import { readJson } from '../../../http/json-body.ts';
import { isPdf } from './pdf-file.ts';

/** What a definition may hold more than an everyday body: conditions nest, each level as an object in a list (wire 13.8). */
export const DEFINITION_BOUNDS = {
  depth: 3 * flowLimits.depthMost + 100,
  values: 1_000_000,
  structureBytes: limits.flowDefinitionBytes + 64 * 1024,
} as const;

/** A file of a package. */
export interface PackedAsset {
  readonly key: string;
  readonly originalName: string;
  readonly bytes: Buffer;
}

export interface FlowPackage {
  /** As it stands in the package: its form is not checked. */
  readonly definition: unknown;
  readonly assets: readonly PackedAsset[];
}

const MANIFEST = 'flow.json';
const FOLDER = 'assets/';
/** Files that a package may hold, with folders and what some archivers add. */
const ENTRIES_MOST = 4 * limits.flowAssetsMost;
/** The bits of a Unix mode that say what an entry is. */
const [TYPE_BITS, REGULAR, DIRECTORY] = [0o170000, 0o100000, 0o040000];

/**
 * Reads a package: a zip with `flow.json` and the files that it names (wire 13.9). Nothing is unpacked to a disk, nothing
 * larger than it says, and nothing that `flow.json` does not name.
 * @throws {PlatformError} flows.package_invalid
 */
export async function readPackage(bytes: Buffer): Promise<FlowPackage> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true }).catch(
    (cause: unknown) => {
      throw invalid('It is not a zip file.', cause);
    },
  );
  const entries = await entriesOf(zip);
  const manifest = manifestOf(await unpack(zip, entries, MANIFEST, DEFINITION_BOUNDS.structureBytes));
  const { assets: listed = [], format_version: _, definition, ...flat } = manifest;
  const assets: PackedAsset[] = [];
  for (const { key, file, originalName } of namesOf(listed)) {
    const name = entries.has(file) ? file : `${FOLDER}${file}`;
    const content = await unpack(zip, entries, name, limits.fileBytes);
    if (!isPdf(content)) throw invalid(`${name} is not a PDF.`);
    assets.push({ key, originalName, bytes: content });
  }
  return { definition: definition ?? flat, assets };
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

interface Manifest {
  readonly format_version: 1;
  readonly assets?: readonly unknown[];
  readonly definition?: unknown;
}

function manifestOf(text: Buffer): Manifest {
  let manifest: unknown;
  try {
    manifest = readJson(text, DEFINITION_BOUNDS);
  } catch (error) {
    throw invalid(`${MANIFEST}: ${error instanceof PlatformError ? error.message : 'not JSON'}`, error);
  }
  const { format_version: version, assets } = (manifest ?? {}) as Partial<Record<keyof Manifest, unknown>>;
  if (version !== 1) throw invalid(`${MANIFEST} must have the format_version 1.`);
  if (assets !== undefined && !Array.isArray(assets))
    throw invalid(`The assets of ${MANIFEST} must be a list.`);
  return manifest as Manifest;
}

function namesOf(listed: readonly unknown[]): { key: string; file: string; originalName: string }[] {
  if (listed.length > limits.flowAssetsMost)
    throw invalid(`It has more than ${limits.flowAssetsMost} files.`);
  const keys = new Set<unknown>();
  return listed.map((asset, index) => {
    const at = `assets/${index} of ${MANIFEST}`;
    const {
      asset_key: key,
      kind,
      file,
      mime_type: type,
      original_name: name,
    } = (asset ?? {}) as Record<string, unknown>;
    if (!isName(key) || !isName(file)) throw invalid(`${at} needs an asset_key and a file.`);
    if (kind !== 'pdf' || (type ?? 'application/pdf') !== 'application/pdf')
      throw invalid(`${at} must be a PDF.`);
    if (keys.has(key)) throw invalid(`The asset_key ${key} stands twice in ${MANIFEST}.`);
    keys.add(key);
    return { key, file, originalName: isName(name) ? name : `${key.slice(0, 190)}.pdf` };
  });
}

const SHOWN = new RegExp(limits.shownText, 'u');

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= flowLimits.referenceMost && SHOWN.test(value);

const invalid = (text: string, cause?: unknown) =>
  new PlatformError('flows.package_invalid', { text, cause });

function asInvalid(error: unknown): unknown {
  return error instanceof PlatformError ? error : invalid('It is damaged, or not a plain zip file.', error);
}
