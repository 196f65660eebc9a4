import type { Core, Domain } from '../../domain.ts';
import { CodeLookups } from './code-lookups.ts';
import { limitLookups } from './hooks.ts';

/** Limits the look-ups of unknown codes. */
export function createCodeLookups(core: Core): Domain {
  const lookups = new CodeLookups(core);
  return { hooks: (app) => limitLookups(app, lookups) };
}
