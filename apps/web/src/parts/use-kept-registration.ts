import { useKeptInTab } from './use-kept-in-tab.ts';

/** A registration as far as it has come, without the password. */
interface Begun {
  readonly name: string;
  readonly email: string;
  /** Of the code that was mailed, without which it opens nothing. */
  readonly ticket?: string | undefined;
}

/** Who registers, kept in this tab until the account is made: there is no key yet to seal it to. @param forms how its name begins */
export const useKeptRegistration = (forms: string) =>
  useKeptInTab<Begun>(`${forms}registration`, () => ({ name: '', email: '' }));

export type KeptRegistration = ReturnType<typeof useKeptRegistration>;
