import type { FlowAssetAnalysis } from '@symbolon/protocol';
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

/** What was found in a PDF that runs fill. */
interface ReadTemplate {
  /** What its author is shown. */
  readonly analysis: FlowAssetAnalysis;
  /** What filling it needs: JSON that holds for these very bytes. */
  readonly plan: unknown;
}

/** Looks into PDFs. */
export interface TemplateReader {
  /** @throws {PlatformError} flows.asset_invalid when the file cannot be filled; documents.seal_unavailable */
  analyse(companyId: string, bytes: Buffer): Promise<ReadTemplate>;
}

/** The field types that each plugin of a company has described, by the plugin's id. */
export interface DescribedPlugins {
  described(reader: Reader, companyId: string): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
}
