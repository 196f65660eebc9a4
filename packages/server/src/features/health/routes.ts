import { Type } from 'typebox';
import type { App } from '../../http/app.ts';

export function healthRoutes(app: App, { check }: { check: () => Promise<void> }): void {
  app.get(
    '/api/health',
    {
      config: { access: 'open', alwaysJson: true },
      schema: {
        tags: ['platform'],
        summary: 'Whether the platform serves',
        response: { 200: Type.Object({ status: Type.Literal('ok') }) },
      },
    },
    async () => {
      await check();
      return { status: 'ok' as const };
    },
  );
}
