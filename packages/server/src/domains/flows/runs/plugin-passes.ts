import type { PluginPass, PluginSpec } from '@symbolon/protocol';
import type { Core } from '../../domain.ts';
import type { PluginSpecs } from '../../plugins/index.ts';
import type { PublishedFlows } from '../definitions/published.ts';
import { type Caller, requireRun } from './access.ts';
import { turnOf } from './answers.ts';
import { versionOf } from './states.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly flows: PublishedFlows;
  readonly pluginSpecs: PluginSpecs;
}

/** Passes with which the party whose turn it is calls the plugins of its step (wire 13.12). */
export class PluginPasses {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @param host under which the caller reached this process
   * @throws {PlatformError} flows.run_not_found, flows.not_your_turn
   */
  async pass(caller: Caller, runId: string, host: string | undefined): Promise<PluginPass> {
    const { database, flows, pluginSpecs } = this.#deps;
    const { run } = await requireRun(database.reader, caller, runId);
    const nodeKey = turnOf(run, caller.userId);
    const definition = await flows.definition(database.reader, versionOf(run));
    const elements = definition.nodes.find(({ key }) => key === nodeKey)?.elements ?? [];
    const specs = elements.flatMap((element): [string, PluginSpec][] => {
      if (element.kind !== 'plugin') return [];
      const { plugin_id, field_type, snapshot, inputs = {} } = element.plugin;
      return snapshot ? [[element.slug, { plugin_id, field_type, snapshot, inputs }]] : [];
    });
    const customerId = caller.side === 'customer' ? caller.userId : undefined;
    return pluginSpecs.pass(run.company_id, Object.fromEntries(specs), host, customerId);
  }
}
