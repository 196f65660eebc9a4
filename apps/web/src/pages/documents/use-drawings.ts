import { useCallback, useEffect, useState } from 'react';
import { compareDrawings, type Drawings } from '../../platform/drawings.ts';

const BEGUN: Drawings = { state: 'comparing', progress: undefined };

/**
 * Draws a PDF with two programs while it is read, and compares.
 * @param bytes undefined for what need not be compared
 */
export function useDrawings(bytes: Uint8Array | undefined): {
  drawings: Drawings | undefined;
  again: () => void;
} {
  const [found, setFound] = useState<{ of: Uint8Array; drawings: Drawings }>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt begins anew
  useEffect(() => {
    if (bytes === undefined) return;
    return compareDrawings(bytes, (drawings) => setFound({ of: bytes, drawings }));
  }, [bytes, attempt]);
  const again = useCallback(() => {
    setFound(undefined);
    setAttempt((last) => last + 1);
  }, []);
  if (bytes === undefined) return { drawings: undefined, again };
  // What was found of another file says nothing of this one.
  return { drawings: found?.of === bytes ? found.drawings : BEGUN, again };
}
