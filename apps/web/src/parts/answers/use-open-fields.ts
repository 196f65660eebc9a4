import { fieldsQuery, type OpenField } from '../../platform/fields.ts';
import { useRead } from '../../platform/read.ts';
import { useSession } from '../../platform/session.ts';

/** The person's fields, opened here. @param isNeeded whether the page asks for any */
export function useOpenFields(isNeeded = true) {
  const session = useSession();
  const keys = session.state === 'in' ? session.keys : undefined;
  const publicKey = session.state === 'in' ? session.person.public_key : '';
  const { change, ...read } = useRead(isNeeded && keys ? fieldsQuery(keys, publicKey) : undefined);
  const added = (field: OpenField) =>
    change((before) => before && { ...before, fields: [...before.fields, field] });
  /** Without keys the password is asked for. */
  const isLocked = session.state === 'in' && keys === undefined;
  return { ...read, isLocked, added };
}
