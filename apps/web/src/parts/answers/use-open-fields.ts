import { useCallback } from 'react';
import { type Fields, type OpenField, openFields } from '../../platform/fields.ts';
import { useSession } from '../../platform/session.ts';
import { useRead } from '../read.ts';

/** The person's fields, opened here. @param isNeeded whether the page asks for any */
export function useOpenFields(isNeeded = true) {
  const session = useSession();
  const keys = session.state === 'in' ? session.keys : undefined;
  const publicKey = session.state === 'in' ? session.person.public_key : '';
  const open = useCallback(
    async (): Promise<Fields | undefined> =>
      isNeeded && keys !== undefined ? openFields(keys.key, publicKey) : undefined,
    [isNeeded, keys, publicKey],
  );
  const { found: fields, error, load, change } = useRead(open);
  const added = (field: OpenField) =>
    change((before) => before && { ...before, fields: [...before.fields, field] });
  /** Without keys the password is asked for. */
  const isLocked = session.state === 'in' && keys === undefined;
  return { fields, isLocked, error, load, added };
}
