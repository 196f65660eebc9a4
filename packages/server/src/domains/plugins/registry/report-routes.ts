import { Exact, limits } from '@symbolon/protocol';
import { Type } from 'typebox';
import { PlatformError } from '../../../core/errors.ts';
import type { App } from '../../../http/app.ts';
import type { Core } from '../../domain.ts';
import type { Passes } from '../passes/passes.ts';
import type { Plugins } from './plugins.ts';

/** Where the forwarder reports to. */
export const REPORT_PATH = '/forwarder/reports';

const Report = Exact({ report: Type.String({ maxLength: 2 * limits.pluginAnswerBytes }) });

/** What a forwarder in another process tells the API; only who has the platform's secret can make a report. */
export function reportRoutes(
  app: App,
  { passes, plugins, failures }: { passes: Passes; plugins: Plugins } & Pick<Core, 'failures'>,
): void {
  app.route<{ Body: { report: string } }>({
    method: 'POST',
    url: REPORT_PATH,
    config: { access: 'open', limit: 'own', alwaysJson: true, errors: ['plugin.pass_invalid'] },
    schema: { hide: true, body: Report },
    async handler(request, reply) {
      const report = passes.openReport(request.body.report);
      if (report === undefined) {
        await failures.failed('token', request.ip);
        throw new PlatformError('plugin.pass_invalid');
      }
      await plugins.reported(report);
      return reply.code(204).send();
    },
  });
}
