import type { TemplateTags } from '@symbolon/flows';
import type { FlowAssetAnalysis } from '@symbolon/protocol';
import type { FlowAssetHead } from './tables.ts';

/** The keys of the tags that were found in each PDF. */
export function templateTags(assets: readonly Pick<FlowAssetHead, 'asset_key' | 'analysis'>[]): TemplateTags {
  return new Map(
    assets.map(({ asset_key, analysis }) => {
      const { tags } = JSON.parse(analysis) as FlowAssetAnalysis;
      return [asset_key, tags.map(({ key }) => key)];
    }),
  );
}
