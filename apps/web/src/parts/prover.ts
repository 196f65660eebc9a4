import { createContext } from 'react';
import { personProver } from '../platform/prover.ts';

/** Whose presence the forms of a page prove: that of the person, where nothing else is said. */
export const ProverContext = createContext(personProver);
