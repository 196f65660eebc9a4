import type { Engine, Writer } from '../../../db/database.ts';
import type { Manifest } from './destination.ts';
import { RowDigest, type TableDigest } from './digest.ts';
import { deleteRows, filledTables, insertStaged, pagesOf, type TableShape } from './table-store.ts';

/** The staged rows of a company, and what was counted where they were read. */
export interface Staged {
  readonly moveId: string;
  readonly companyId: string;
  readonly tables: Manifest['tables'];
}

/**
 * Puts the staged rows of a company in the place of those that are here, and compares every table with where they were read.
 * @returns what differs; the caller undoes it
 */
export async function takeRows(
  engine: Engine,
  writer: Writer,
  shapes: readonly TableShape[],
  { moveId, companyId, tables }: Staged,
): Promise<string | undefined> {
  await deleteRows(engine, writer, shapes, companyId);
  for (const shape of shapes) {
    await insertStaged(engine, writer, shape, { moveId, chunks: tables[shape.name]?.chunks ?? 0 });
  }
  const filled = await filledTables(writer, shapes, companyId);
  for (const shape of shapes) {
    const here = filled.has(shape.name) ? await digestOf(writer, shape, companyId) : digestOfNothing(shape);
    const there = tables[shape.name];
    if (here.rows !== there?.rows || here.sha256 !== there.sha256)
      return `Table ${shape.name} has ${here.rows} rows where it should have ${there?.rows}, or other ones.`;
  }
  return undefined;
}

const digestOfNothing = (shape: TableShape) => new RowDigest(shape.apartPlaces, shape.columns.length).end();

async function digestOf(writer: Writer, shape: TableShape, companyId: string): Promise<TableDigest> {
  const digest = new RowDigest(shape.apartPlaces, shape.columns.length);
  for await (const page of pagesOf(writer, shape, { companyId })) for (const row of page) digest.add(row);
  return digest.end();
}
