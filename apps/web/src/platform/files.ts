import { FieldTypeRegistry } from '@symbolon/field-types';
import type { FieldTypeRow, PersonFile } from '@symbolon/protocol';
import { type PersonFileContent, PersonFiles, SymbolonError } from '@symbolon/sdk/device';
import { call, fileApi } from './api.ts';
import { withConfirmedKeys } from './known-keys.ts';
import { currentSession } from './session.ts';
import { type Report, tellingApi } from './uploads.ts';

export type { PersonFileContent } from '@symbolon/sdk/device';

/** Gives a field its file, for the person and for the services that follow the field. @throws ValueError */
export async function saveFile(
  id: string,
  envelope: string,
  report: Report,
): Promise<PersonFile | undefined> {
  return (await withFiles((files) => files.save(id, envelope), report)).file;
}

/** Reads and opens the file of a field. */
export function openFile(id: string): Promise<PersonFileContent> {
  return withFiles((files) => files.open(id));
}

/** Uploads the file of a field, sealed to a service. @returns what the answer names */
export function uploadOf(id: string, servicePublicKey: string): Promise<string> {
  return withFiles((files) => files.uploadOf(id, servicePublicKey));
}

async function withFiles<T>(act: (files: PersonFiles) => Promise<T>, report?: Report): Promise<T> {
  const session = currentSession();
  if (session.state !== 'in') throw new Error('Nobody is signed in.');
  const { person, keys } = session;
  return withConfirmedKeys(person.person_user_id, (confirmed) =>
    act(
      new PersonFiles({
        api: report === undefined ? fileApi : tellingApi(report),
        keys: confirmed,
        publicKey: () => person.public_key,
        key: () => {
          if (keys !== undefined) return keys.key;
          throw new SymbolonError({ errorKey: 'sdk.key_locked', message: 'This browser has no key.' });
        },
        fieldTypes: async () =>
          new FieldTypeRegistry(await call<FieldTypeRow[]>('GET', '/api/contact-field-types')),
      }),
    ),
  );
}
