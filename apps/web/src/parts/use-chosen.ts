import { useState } from 'react';
import { useAct } from './problem.tsx';

/**
 * A choice that stands as it was made at once, until what it belongs to was read again, and goes back where the platform refuses it.
 * @param of the object that is read anew after the act @param stored what stands in it
 */
export function useChosen<Value>(of: object, stored: Value) {
  const { busy, error, run } = useAct();
  const [chosen, setChosen] = useState<{ of: object; value: Value }>();
  const choose = (value: Value, store: () => Promise<unknown>) => {
    if (busy) return;
    setChosen({ of, value });
    run(async () => {
      try {
        await store();
      } catch (failure) {
        setChosen(undefined);
        throw failure;
      }
    });
  };
  return { value: chosen?.of === of ? chosen.value : stored, busy, error, choose };
}
