import { useCallback, useEffect, useState } from 'react';
import { type Fields, type OpenField, openFields } from '../../platform/fields.ts';
import { useSession } from '../../platform/session.ts';
import { useAct } from '../problem.tsx';

/** The person's fields, opened here. @param isNeeded whether the page asks for any */
export function useOpenFields(isNeeded = true) {
  const session = useSession();
  const { error, run } = useAct();
  const [fields, setFields] = useState<Fields>();
  const keys = session.state === 'in' ? session.keys : undefined;
  const publicKey = session.state === 'in' ? session.person.public_key : '';
  const load = useCallback(
    () =>
      run(async () => {
        if (isNeeded && keys !== undefined) setFields(await openFields(keys.key, publicKey));
      }),
    [isNeeded, keys, publicKey, run],
  );
  useEffect(() => {
    load();
  }, [load]);
  const added = (field: OpenField) =>
    setFields((before) => before && { ...before, fields: [...before.fields, field] });
  /** Without keys the password is asked for. */
  const isLocked = session.state === 'in' && keys === undefined;
  return { fields, isLocked, error, load, added };
}
