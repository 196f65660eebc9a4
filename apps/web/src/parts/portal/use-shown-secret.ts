import { useEffect, useState } from 'react';

/** A secret that is shown once. It goes with the page, also where the browser keeps that to come back. */
export function useShownSecret<Secret>() {
  const [secret, show] = useState<Secret>();
  useEffect(() => {
    const lock = () => show(undefined);
    addEventListener('pagehide', lock);
    return () => removeEventListener('pagehide', lock);
  }, []);
  return [secret, show] as const;
}
