import { useState } from 'react';
import { useAct } from '../problem.tsx';

/**
 * Reads what follows in a list that is shown in part, once from each place.
 * @param place where the part ends; undefined where nothing follows
 */
export function useFurther(place: string | undefined, read: () => Promise<void>) {
  const { error, run } = useAct();
  const [asked, setAsked] = useState<string>();
  return {
    error,
    /** Until the rows are shown: they come a moment after their call. */
    isHeld: place !== undefined && asked === place,
    more: () => {
      setAsked(place);
      run(read);
    },
  };
}
