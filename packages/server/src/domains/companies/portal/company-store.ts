import { rowBy, updateBy } from '../../../db/by-key.ts';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import type { CompanyRow } from './tables.ts';

export async function companyById(reader: Reader, id: string): Promise<CompanyRow | undefined> {
  return rowBy(reader, 'companies', { id });
}

export async function insertCompany(writer: Writer, row: CompanyRow): Promise<void> {
  await writer.insertInto('companies').values(row).execute();
}

export async function renameCompany(writer: Writer, id: string, name: string): Promise<void> {
  await updateBy(writer, 'companies', { id }, { name });
}

/** Where companies are at home, null for here; those that are not known here are missing. */
export async function companyHomes(
  engine: Engine,
  reader: Reader,
  companyIds: readonly string[],
): Promise<Map<string, string | null>> {
  if (companyIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom('companies')
    .select(['id', 'region'])
    .where(inList(engine, 'id', listParameter(engine, [...new Set(companyIds)])))
    .execute();
  return new Map(rows.map((row) => [row.id, row.region]));
}

/** Where one company is at home, null for here; undefined when it is not known here. */
export async function companyHome(reader: Reader, companyId: string): Promise<string | null | undefined> {
  const row = await rowBy(reader, 'companies', { id: companyId }, ['region']);
  return row?.region;
}

/** Whether each login of a company needs a second factor. */
export async function requiresSecondFactor(reader: Reader, companyId: string): Promise<boolean> {
  const row = await rowBy(reader, 'companies', { id: companyId }, ['second_factor_required']);
  return row?.second_factor_required === 1;
}

export async function setSecondFactorRequired(
  writer: Writer,
  companyId: string,
  isRequired: boolean,
): Promise<void> {
  await updateBy(writer, 'companies', { id: companyId }, { second_factor_required: isRequired ? 1 : 0 });
}

/** The company's address follows that of its own login. */
export async function setCompanyEmail(writer: Writer, companyId: string, email: string): Promise<void> {
  await updateBy(writer, 'companies', { id: companyId }, { email });
}
