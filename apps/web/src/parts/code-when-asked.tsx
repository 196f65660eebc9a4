import { SymbolonError } from '@symbolon/sdk/device';
import { useState } from 'react';
import { CodeField } from './fields.tsx';

/** For acts that may need a code of the second factor: its field appears when the platform asks for one. */
export function useCodeWhenAsked() {
  const [isAsked, setAsked] = useState(false);
  const [code, setCode] = useState('');
  /** @param act gets the code once it was asked for; it changes nothing before the platform has accepted it */
  const attempt = async (act: (code: string | undefined) => Promise<void>): Promise<void> => {
    try {
      await act(isAsked ? code : undefined);
    } catch (failure) {
      if (isAsked || !needsSecondFactor(failure)) throw failure;
      setAsked(true);
    }
  };
  return { attempt, codeField: isAsked && <CodeField value={code} change={setCode} /> };
}

function needsSecondFactor(error: unknown): boolean {
  return error instanceof SymbolonError && error.errorKey === 'auth.two_factor_required';
}
