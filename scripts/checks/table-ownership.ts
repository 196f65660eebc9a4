import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Table } from '../../packages/server/src/db/table-registry.ts';

const SOURCE = 'packages/server/src';

const NOT_PRODUCTION = /\.test\.ts$|\/testing\/|\/tables\.ts$/;

/** Where a query names a table: the folder, and whether it writes. */
export interface TableUse {
  readonly file: string;
  readonly table: string;
  readonly writes: boolean;
}

/**
 * Checks that every query on a table of the server stands in the domain that owns the table, or in one that the owner names
 * in `readBy` or `writtenBy`, and that it names none that has no such query.
 *
 * @param files paths relative to `root`.
 * @returns one line for every query or name that is wrong.
 */
export async function tableOwnership(root: string, files: readonly string[]): Promise<string[]> {
  const own = files.filter((file) => file.startsWith(`${SOURCE}/`) && file.endsWith('.ts'));
  const owned: { owner: string; table: Table }[] = [];
  for (const file of own.filter((path) => path.endsWith('/tables.ts') && dirname(path) !== SOURCE)) {
    const declared: Record<string, unknown> = await import(pathToFileURL(join(root, file)).href);
    const tables = Object.values(declared).filter((value) => Array.isArray(value)) as Table[][];
    owned.push(...tables.flat().map((table) => ({ owner: domainOf(file), table })));
  }
  const names = owned.map(({ table }) => table.name);
  const uses = own
    .filter((file) => !NOT_PRODUCTION.test(file) && !file.startsWith(`${SOURCE}/db/`))
    .flatMap((file) => tableUses(file, readFileSync(join(root, file), 'utf8'), names));
  return owned.flatMap(({ owner, table }) =>
    wrongUses(
      owner,
      table,
      uses.filter((use) => use.table === table.name),
    ),
  );
}

export function wrongUses(
  owner: string,
  { name, readBy = [], writtenBy = [] }: Pick<Table, 'name' | 'readBy' | 'writtenBy'>,
  uses: readonly TableUse[],
): string[] {
  const others = uses.filter((use) => domainOf(use.file) !== owner);
  const wrong = others.filter((use) => {
    const domain = domainOf(use.file);
    return !writtenBy.includes(domain) && (use.writes || !readBy.includes(domain));
  });
  const writers = new Set(others.filter((use) => use.writes).map((use) => domainOf(use.file)));
  const users = new Set(others.map((use) => domainOf(use.file)));
  return [
    ...wrong.map(
      ({ file, writes }) =>
        `${file}: ${writes ? 'writes' : 'reads'} ${name}, which ${owner} owns and does not share for that`,
    ),
    ...readBy
      .filter((domain) => !users.has(domain))
      .map((domain) => `${name}: readBy names ${domain}, which has no query that reads it`),
    ...writtenBy
      .filter((domain) => !writers.has(domain))
      .map((domain) => `${name}: writtenBy names ${domain}, which has no query that writes it`),
  ];
}

const READS = 'selectFrom|(?:inner|left|right|full|cross)Join(?:Lateral)?|using|from';
const WRITES = 'insertInto|updateTable|deleteFrom|mergeInto|replaceInto';
/** Functions of `db/by-key.ts`, which are given the database before the table. */
const BY_KEY = 'rowBy|updateBy|deleteBy|putBy';
const NAME = String.raw`\w+(?: as \w+)?`;
const CALL = new RegExp(
  String.raw`\b(?:(${READS}|${WRITES})\(\s*|(${BY_KEY})\([^,]+,\s*)(?:'(${NAME})'|\[([^\]]*)\]|(\w+)[,)\s])`,
  'g',
);
const RAW = /\b(from|join|update|into)\s+"?([a-z_]+)\b/g;
/** Functions that read the table whose name they are given: `lock` and `writeLocked` of the database, `count` of the operator's numbers. */
const HELPER = /\b(?:lock|writeLocked|count)\([^;]*?'(\w+)'/g;

/**
 * The tables that the queries of a file name. A query whose table is a variable counts for every name in the type or the value
 * that the file gives this variable; queries that take their tables from the list of all tables name none.
 */
export function tableUses(file: string, source: string, names: readonly string[]): TableUse[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/[^\n]*/g, '');
  const found = new Map<string, boolean>();
  const add = (name: string | undefined, writes: boolean) => {
    const table = name?.split(' ')[0] ?? '';
    if (names.includes(table)) found.set(table, (found.get(table) ?? false) || writes);
  };
  for (const declaration of code.split(/^}/m)) {
    for (const [, call, byKey, one, list, variable] of declaration.matchAll(CALL)) {
      const writes = new RegExp(`^(?:${WRITES}|updateBy|deleteBy|putBy)$`).test(call ?? byKey ?? '');
      add(one, writes);
      for (const [, name] of (list ?? '').matchAll(/'([^']+)'/g)) add(name, writes);
      for (const name of variable === undefined ? [] : namesIn(declaration, variable)) add(name, writes);
    }
  }
  for (const [, word, name] of code.matchAll(RAW)) add(name, word === 'update' || word === 'into');
  for (const [, name] of code.matchAll(/\bdelete from\s+"?([a-z_]+)\b/g)) add(name, true);
  for (const [, name] of code.matchAll(HELPER)) add(name, false);
  return [...found].map(([table, writes]) => ({ file, table, writes }));
}

/** The strings in the type or the value of a variable, or of the list that it is taken from, within one declaration. */
function namesIn(code: string, variable: string, depth = 2): string[] {
  const given = [...code.matchAll(new RegExp(String.raw`\b${variable}\b\s*(?::|=|of\b)\s*([^;(){}]*)`, 'g'))];
  return given.flatMap(([, text = '']) => {
    const [, other] = /^(\w+)\s*$/.exec(text) ?? [];
    if (other !== undefined && depth > 0) return namesIn(code, other, depth - 1);
    return [...text.matchAll(/'(\w+)(?: as \w+)?'/g)].map(([, name = '']) => name);
  });
}

/** The domain of a file of the server; for a file outside the domains its top folder. */
function domainOf(file: string): string {
  const [top = '', domain = ''] = relative(SOURCE, file).split('/');
  return top === 'domains' ? domain : top;
}
