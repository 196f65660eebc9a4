// What a declared route knows of its requests and its answer. The compiler holds it, in `npm run check`.
import { test } from 'node:test';
import { expectTypeOf } from 'expect-type';
import { Type } from 'typebox';
import type { App } from './app.ts';
import { routesOf } from './routes.ts';

const Door = Type.Object({ id: Type.String(), open: Type.Boolean() });

test('a handler gets what is declared, and gives it', () => {
  const app = { route: () => {} } as unknown as App;
  const route = routesOf(app, { tags: ['services'], access: ['portal'] });
  const query = Type.Object({ limit: Type.Optional(Type.Integer()) });
  const body = Type.Object({ open: Type.Boolean() });

  route('PUT /api/houses/:house/doors/:door', { summary: 'x', query, body, ok: Door }, (request) => {
    expectTypeOf(request.params).toEqualTypeOf<Readonly<Record<'house' | 'door', string>>>();
    expectTypeOf(request.query).toEqualTypeOf<{ limit?: number }>();
    expectTypeOf(request.body).toEqualTypeOf<{ open: boolean }>();
    return { id: request.params.door, open: request.body.open };
  });
  route('GET /api/houses', { summary: 'x', ok: Type.Array(Door) }, async (request) => {
    expectTypeOf(request.params).toEqualTypeOf<Readonly<Record<never, string>>>();
    expectTypeOf(request.body).toEqualTypeOf<unknown>();
    return [];
  });
  // Without a declared answer it is 204, whatever the handler gives.
  route('DELETE /api/houses/:id', { summary: 'x' }, () => Promise.resolve(1));
  // @ts-expect-error The answer lacks a member.
  route('GET /api/doors/:id', { summary: 'x', ok: Door }, () => ({ id: 'd' }));
  // @ts-expect-error The address has no such parameter.
  route('GET /api/doors/:id', { summary: 'x', ok: Door }, ({ params }) => ({ id: params.door, open: true }));
});
