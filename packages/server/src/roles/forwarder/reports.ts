import { PlatformError } from '../../core/errors.ts';
import { type Passes, type PluginReport, type Plugins, REPORT_PATH } from '../../domains/plugins/index.ts';

/** Tells the API what a plugin said of itself. */
export interface Reports {
  /**
   * @param to the pass, and the base of the region that made it
   * @throws {PlatformError} plugin.unavailable
   */
  send(to: { readonly pass: string; readonly regionUrl: string }, report: PluginReport): Promise<void>;
}

const REPORT_MOST_MS = 5000;

/** Over the network, to whichever region made the pass: only the platform can make a pass, so it is an address of the platform. */
export function remoteReports(passes: Passes): Reports {
  return {
    async send({ pass, regionUrl }, report) {
      try {
        const response = await fetch(`${regionUrl}${REPORT_PATH}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ report: passes.report(report, pass) }),
          redirect: 'error',
          signal: AbortSignal.timeout(REPORT_MOST_MS),
        });
        await response.body?.cancel();
        if (response.status !== 204) throw new Error(`the region answered ${response.status}`);
      } catch (error) {
        throw new PlatformError('plugin.unavailable', {
          text: 'The description of the plugin could not be stored. Try again shortly.',
          cause: error,
        });
      }
    },
  };
}

/** In the process of a region: straight to it, and to other regions over the network. */
export function regionReports(plugins: Plugins, ownUrl: () => string, elsewhere: Reports): Reports {
  return {
    send: (to, report) => (to.regionUrl === ownUrl() ? plugins.reported(report) : elsewhere.send(to, report)),
  };
}
