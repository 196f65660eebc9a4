import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { RunCopies } from './run-copies.ts';
import { runCopyTables } from './tables.ts';

export {
  type CopyChange,
  changeOf,
  isDone,
  isLast,
  type Line,
  type LineAct,
  type LineCopy,
  lineOf,
  nextOf,
  openStatus,
  signerOf,
} from './lines.ts';
export {
  isRunManaged,
  type MadeDocument,
  type PartyDocument,
  type RunCopies,
  type RunRef,
  type Withdrawn,
} from './run-copies.ts';
export { ownersCopy, runSignatures } from './service-views.ts';
export { runCopy, updateRunCopy } from './store.ts';
export type { RunDocumentRow } from './tables.ts';

/** The documents of runs of flows. */
export function createRunCopies(
  core: Core,
  needs: NeedsOf<typeof RunCopies>,
): {
  runCopies: RunCopies;
  domain: Domain;
} {
  return { runCopies: new RunCopies({ ...core, ...needs }), domain: { tables: runCopyTables } };
}
