import { deleteBy, rowBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { PinsColumns } from './tables.ts';

const COLUMNS = ['counter', 'iv', 'data'] as const;

export async function personPins(reader: Reader, personId: string): Promise<PinsColumns | undefined> {
  return rowBy(reader, 'person_pins', { person_id: personId }, COLUMNS);
}

/** False when the stored list is as new or newer. */
export async function putPersonPins(writer: Writer, personId: string, pins: PinsColumns): Promise<boolean> {
  const result = await writer
    .insertInto('person_pins')
    .values({ person_id: personId, ...pins })
    .onConflict((conflict) =>
      conflict.column('person_id').doUpdateSet(pins).where('person_pins.counter', '<', pins.counter),
    )
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** A login of a company's portal. */
export interface LoginRef {
  readonly companyId: string;
  readonly loginId: string;
}

export async function loginPins(reader: Reader, login: LoginRef): Promise<PinsColumns | undefined> {
  return rowBy(reader, 'login_pins', { company_id: login.companyId, login_id: login.loginId }, COLUMNS);
}

/** False when the stored list is as new or newer. */
export async function putLoginPins(writer: Writer, login: LoginRef, pins: PinsColumns): Promise<boolean> {
  const result = await writer
    .insertInto('login_pins')
    .values({ company_id: login.companyId, login_id: login.loginId, ...pins })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'login_id'])
        .doUpdateSet(pins)
        .where('login_pins.counter', '<', pins.counter),
    )
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function deleteLoginPins(writer: Writer, login: LoginRef): Promise<void> {
  await deleteBy(writer, 'login_pins', { company_id: login.companyId, login_id: login.loginId });
}
