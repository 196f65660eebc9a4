import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { limits } from '@symbolon/protocol/constants';
import { ZipFile } from 'yazl';
import { Problem } from '../problem.ts';

/** The bytes of a package: a zip, or a folder with `flow.json` and its `assets`, which is packed here. */
export async function readPackage(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const found = await stat(path);
  const bytes = found.isDirectory() ? await zipOfFolder(path) : new Uint8Array(await readFile(path));
  if (bytes.length > limits.uploadBodyBytes)
    throw new Problem(`A package can have at most ${Math.floor(limits.uploadBodyBytes / 2 ** 20)} MiB.`);
  return bytes;
}

async function zipOfFolder(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  const assets = await filesIn(join(folder, 'assets'));
  const files = [join(folder, 'flow.json'), ...assets];
  const entries = files.map(async (file) => [
    relative(folder, file).split(sep).join('/'),
    await readFile(file),
  ]);
  return zipOf(Object.fromEntries(await Promise.all(entries)) as Record<string, Uint8Array>);
}

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return found
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

/** A zip with these entries. */
export async function zipOf(entries: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return new Uint8Array(await buffer(zip.outputStream));
}
