import type { Reader } from '../../db/database.ts';

interface FlowOfCompany {
  readonly companyId: string;
  readonly flowId: string;
}

/** The runs of a flow, as far as its definitions must know of them. */
export interface RunsOfFlow {
  /** How many are not finished. */
  unfinished(reader: Reader, flow: FlowOfCompany): Promise<number>;
  /** Whether there is any run, finished or not. */
  any(reader: Reader, flow: FlowOfCompany): Promise<boolean>;
}

/** The field types that each plugin of a company has described, by the plugin's id. */
export interface DescribedPlugins {
  described(reader: Reader, companyId: string): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
}
