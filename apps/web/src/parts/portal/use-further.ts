import { useRef, useState } from 'react';
import { useAct } from '../problem.tsx';

/**
 * Reads what follows in a list that is shown in part, once from each place.
 * @param place where the part ends; undefined where nothing follows
 */
export function useFurther(place: string | undefined, read: () => Promise<void>) {
  const { error, run } = useAct();
  const [asked, setAsked] = useState<string>();
  /** Known before anything is drawn: a click may scroll to the end, too. */
  const held = useRef<string>(undefined);
  return {
    error,
    /** Until the rows are shown: they come a moment after their call. */
    isHeld: place !== undefined && asked === place,
    more: () => {
      if (held.current === place) return;
      held.current = place;
      setAsked(place);
      run(() =>
        read().catch((failure: unknown) => {
          held.current = undefined;
          throw failure;
        }),
      );
    },
  };
}
