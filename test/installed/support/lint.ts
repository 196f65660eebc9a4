import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is legitimate here: modules of ECMAScript alone (decision 17), and resolution that knows `exports`. */
const INTENDED = { CJSResolvesToESM: 'every', NoResolution: 'node10' } as const;

/** What publint has against a tarball. */
export async function publintOf(tools: string, tarball: string): Promise<string[]> {
  const { publint } = await import(join(tools, 'publint/src/index-node.js'));
  const { formatMessage } = await import(join(tools, 'publint/src/utils.js'));
  const bytes = readFileSync(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) },
    strict: true,
  });
  return messages.map((message: unknown) => String(formatMessage(message, pkg)));
}

/** Which entries "Are the types wrong?" finds wrong in a tarball, for which resolution and why. */
export async function wrongTypesOf(tools: string, tarball: string): Promise<string[]> {
  const { checkPackage, createPackageFromTarballData } = await import(
    join(tools, '@arethetypeswrong/core/dist/index.js')
  );
  const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
  if (checked.types === false) return ['there are no types'];
  return checked.problems
    .filter(({ kind, resolutionKind }: { kind: string; resolutionKind?: string }) => {
      const where = INTENDED[kind as keyof typeof INTENDED];
      return where !== 'every' && (where === undefined || where !== resolutionKind);
    })
    .map((problem: object) => JSON.stringify(problem));
}
