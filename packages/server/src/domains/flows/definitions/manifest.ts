import { flowLimits, limits } from '@symbolon/protocol';
import { withoutMark } from '../../../core/byte-order-mark.ts';
import { PlatformError } from '../../../core/errors.ts';
import { readJson } from '../../../http/json-body.ts';

/** What a definition may hold more than an everyday body: conditions nest, each level as an object in a list (wire 13.8). */
export const DEFINITION_BOUNDS = {
  depth: 3 * flowLimits.depthMost + 100,
  values: 1_000_000,
  structureBytes: limits.flowDefinitionBytes + 64 * 1024,
} as const;

/** A file of a package that describes it. */
export const MANIFEST = 'flow.json';

/** What a package says of itself. */
export interface Manifest {
  /** JSON of the definition as it stands there. */
  readonly definition: string;
  readonly assets: readonly ListedAsset[];
}

interface ListedAsset {
  readonly key: string;
  readonly file: string;
  readonly originalName: string;
}

/** @throws {PlatformError} flows.package_invalid */
export function readManifest(bytes: Buffer): Manifest {
  const { assets = [], format_version: _, definition, ...flat } = manifestOf(bytes);
  return { definition: JSON.stringify(definition ?? flat), assets: namesOf(assets) };
}

interface ManifestFile {
  readonly format_version: 1;
  readonly assets?: readonly unknown[];
  readonly definition?: unknown;
}

function manifestOf(text: Buffer): ManifestFile {
  let manifest: unknown;
  try {
    manifest = readJson(withoutMark(text), DEFINITION_BOUNDS);
  } catch (error) {
    throw packageInvalid(
      `${MANIFEST}: ${error instanceof PlatformError ? error.message : 'not JSON'}`,
      error,
    );
  }
  const { format_version: version, assets } = (manifest ?? {}) as Partial<
    Record<keyof ManifestFile, unknown>
  >;
  if (version !== 1) throw packageInvalid(`${MANIFEST} must have the format_version 1.`);
  if (assets !== undefined && !Array.isArray(assets))
    throw packageInvalid(`The assets of ${MANIFEST} must be a list.`);
  return manifest as ManifestFile;
}

function namesOf(listed: readonly unknown[]): ListedAsset[] {
  if (listed.length > limits.flowAssetsMost)
    throw packageInvalid(`It has more than ${limits.flowAssetsMost} files.`);
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
    if (!isName(key) || !isName(file)) throw packageInvalid(`${at} needs an asset_key and a file.`);
    if (kind !== 'pdf' || (type ?? 'application/pdf') !== 'application/pdf')
      throw packageInvalid(`${at} must be a PDF.`);
    if (keys.has(key)) throw packageInvalid(`The asset_key ${key} stands twice in ${MANIFEST}.`);
    keys.add(key);
    return { key, file, originalName: isName(name) ? name : `${key.slice(0, 190)}.pdf` };
  });
}

const SHOWN = new RegExp(limits.shownText, 'u');

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= flowLimits.referenceMost && SHOWN.test(value);

/** @param text why it is refused */
export const packageInvalid = (text: string, cause?: unknown) =>
  new PlatformError('flows.package_invalid', { text, cause });
