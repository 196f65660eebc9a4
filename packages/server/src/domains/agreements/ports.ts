import type { Writer } from '../../db/database.ts';
import type { RaisedTogether } from './documents/document-events.ts';

/** The runs of flows whose documents are signed. */
export interface SignedRuns {
  /**
   * Everybody has signed and accepted every document of a run. Called in the transaction of the last act, which holds the
   * lock of the service and raises what is returned.
   */
  completed(
    writer: Writer,
    run: { readonly companyId: string; readonly serviceId: string; readonly runId: string },
  ): Promise<RaisedTogether>;
}
