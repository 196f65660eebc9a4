import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Import, SERVER } from './imports.ts';

const CATALOGUE = 'packages/protocol/src/errors.ts';
/** Lists of keys that routes share: what a list holds is not brought about by standing in it. */
const SHARED_LISTS = 'http/route-errors.ts';
/** The list of a route, and one that routes of a file share. */
const DECLARED = /(?:\berrors: |\bconst \w+(?:: [^=]*)? = )\[([^\]]*)\]/g;
/** A key as code writes it, or as `@throws` does. */
const WORD = /[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?/g;

/**
 * Checks that what a route declares can come about: the key is thrown, or named by `@throws`, in a file that the file of the
 * route leads to by its imports. Domains do not import those that fill their ports, so a port says what it may throw.
 */
export async function declaredErrors(root: string, imports: readonly Import[]): Promise<string[]> {
  if (!existsSync(join(root, CATALOGUE))) return [];
  const { errorCatalogue }: typeof import('../../packages/protocol/src/errors.ts') = await import(
    pathToFileURL(join(root, CATALOGUE)).href
  );
  const read = (file: string) => readFileSync(join(root, SERVER, file), 'utf8');
  return neverBroughtAbout(Object.keys(errorCatalogue), imports, read);
}

/** One line for each file of routes and each key that it declares and no file that it leads to names. */
export function neverBroughtAbout(
  catalogue: readonly string[],
  imports: readonly Import[],
  read: (file: string) => string,
): string[] {
  const keys = new Set(catalogue);
  const files = [...new Set(imports.map(({ from }) => from))];
  const texts = new Map(files.map((file) => [file, read(file)]));
  const named = new Map([...texts].map(([file, text]) => [file, keysNamed(file, text, keys)]));
  const leadsTo = linksOf(imports);
  return files
    .filter((file) => file.endsWith('routes.ts'))
    .sort()
    .flatMap((file) => {
      const declared = new Set(
        [...(texts.get(file) ?? '').matchAll(DECLARED)].flatMap(([, list = '']) => list.match(WORD) ?? []),
      );
      const reached = reachedFrom(file, leadsTo);
      return [...declared]
        .filter((key) => keys.has(key) && !reached.some((other) => named.get(other)?.has(key)))
        .map(
          (key) =>
            `${SERVER}/${file} declares ${key}, which nothing behind it throws: take it out of errors, or name it in @throws of the port behind which it is thrown`,
        );
    });
}

function keysNamed(file: string, text: string, keys: ReadonlySet<string>): ReadonlySet<string> {
  const lists = file.endsWith('routes.ts') || file === SHARED_LISTS;
  const code = lists ? text.replace(DECLARED, '') : text;
  return new Set((code.match(WORD) ?? []).filter((word) => keys.has(word)));
}

/** The files that each file leads to; through a door, those alone that have what is imported. */
function linksOf(imports: readonly Import[]): ReadonlyMap<string, ReadonlySet<string>> {
  const from = Map.groupBy(imports, (each) => each.from);
  const behind = (door: string, name: string, depth = 0): string => {
    const next = door.endsWith('/index.ts')
      ? from.get(door)?.find(({ names }) => names.some((each) => each.split(' as ').at(-1)?.trim() === name))
      : undefined;
    return next === undefined || depth > 4 ? door : behind(next.to, name, depth + 1);
  };
  return new Map(
    [...from].map(([file, each]) => [
      file,
      new Set(
        each.flatMap(({ to, names }) =>
          names.length === 0 ? [to] : names.map((name) => behind(to, name.split(' as ')[0]?.trim() ?? name)),
        ),
      ),
    ]),
  );
}

function reachedFrom(file: string, leadsTo: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reached = new Set([file]);
  for (const each of reached) for (const next of leadsTo.get(each) ?? []) reached.add(next);
  return [...reached];
}
