import { limits } from '@symbolon/protocol';
import { version } from '../../core/version.ts';
import type { Core, Domain } from '../../domains/domain.ts';
import type { Passes, Plugins } from '../../domains/plugins/index.ts';
import { DnsResolver } from '../../outgoing/resolver.ts';
import { OutgoingSender, type OutgoingSenderOptions } from '../../outgoing/sender.ts';
import { Forwarder } from './forwarder.ts';
import { PluginClient } from './plugin-client.ts';
import { type Reports, regionReports, remoteReports } from './reports.ts';
import { forwarderRoutes } from './routes.ts';

export { remoteReports } from './reports.ts';

/** What the forwarder needs of a process: no database. */
export type ForwarderCore = Pick<
  Core,
  'clock' | 'config' | 'failures' | 'limitStore' | 'publicUrl' | 'rateLimits' | 'timers'
>;

/** The forwarder in the process of a region, when it has that role. */
export function createOwnForwarder(
  core: Core,
  {
    pluginPasses: passes,
    plugins,
    outgoing,
  }: {
    readonly pluginPasses: Passes;
    readonly plugins: Plugins;
    readonly outgoing?: Pick<OutgoingSenderOptions, 'dial' | 'ca'> | undefined;
  },
): Domain {
  if (!core.config.roles.has('forwarder')) return {};
  const reports = regionReports(plugins, core.publicUrl, remoteReports(passes));
  return createForwarder(core, { passes, reports, prefix: '/forwarder', outgoing });
}

/** The forwarder, the only part of the platform that calls plugins. */
export function createForwarder(
  core: ForwarderCore,
  needs: {
    readonly passes: Passes;
    readonly reports: Reports;
    /** Of the addresses: empty in a process of its own. */
    readonly prefix: string;
    readonly outgoing?: Pick<OutgoingSenderOptions, 'dial' | 'ca'> | undefined;
  },
): Domain {
  const { config, publicUrl } = core;
  const sender = new OutgoingSender({
    ...core,
    ...needs.outgoing,
    resolver: new DnsResolver({ ...core, servers: config.dnsServers }),
    allowLoopback: config.dangerouslyAllowLoopbackWebhooks,
    timeoutMs: limits.pluginCallMs,
    maxResponseBytes: limits.pluginAnswerBytes,
  });
  const client = new PluginClient({
    ...core,
    sender,
    userAgent: `Symbolon/${version}`,
    addressRules: () => ({ ...config, ownUrl: publicUrl() }),
  });
  const forwarder = new Forwarder({ ...core, ...needs, client });
  return {
    routes: (app) => forwarderRoutes(app, needs.prefix, { ...core, forwarder }),
    stop: () => sender.stop(),
  };
}
