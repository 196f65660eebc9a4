// The types that callers write against. The compiler holds them, in `npm run check`; running the file says only that it loads.
import { test } from 'node:test';
import type { FlowNode } from '@symbolon/protocol';
import { expectTypeOf } from 'expect-type';
import type { FlowFill, FlowRuns } from './flows/flow-runs.ts';
import type { AnswersOf, FlowFileInput, FlowPluginInput, StepKeyOf } from './flows/typed-answers.ts';
import {
  type BinaryHandle,
  type Change,
  ChangePump,
  type ChangePumpOptions,
  type Connection,
  type DataClient,
  type PlainDate,
  type PluginValue,
  type SealedValue,
  type Value,
} from './index.ts';

const LEASE = {
  nodes: [
    {
      key: 'tenant',
      elements: [
        { kind: 'text', text: 'Hello' },
        { kind: 'field', slug: 'name', type: 'text', required: true },
        { kind: 'field', slug: 'note', type: 'text', required: false },
        { kind: 'field', slug: 'country', type: 'text', required: true, default: 'CH' },
        { kind: 'choice', slug: 'pets', required: true, options: [{ value: 'cat' }, { value: 'dog' }] },
        { kind: 'plugin', slug: 'rating', required: true },
      ],
    },
    { key: 'landlord', elements: [{ kind: 'field', slug: 'agreed', type: 'bool', required: true }] },
  ],
} as const;
type Lease = typeof LEASE;

test('what a value can be', () => {
  type Shapes = string | PlainDate | readonly string[] | Readonly<Record<string, string>> | PluginValue;
  expectTypeOf<Value['value']>().toEqualTypeOf<Shapes | BinaryHandle | SealedValue | null>();
  expectTypeOf<Value['verified']>().toEqualTypeOf<boolean>();
  expectTypeOf<Connection['values']>().toEqualTypeOf<Readonly<Record<string, Value>>>();
});

test('what a data client gives', () => {
  expectTypeOf<DataClient['connections']>().returns.toEqualTypeOf<AsyncGenerator<Connection, void, void>>();
  expectTypeOf<DataClient['openChange']>().returns.resolves.toEqualTypeOf<Change>();
  type Asked = NonNullable<Parameters<DataClient['changes']>[0]>;
  expectTypeOf<Asked>().toHaveProperty('after').toEqualTypeOf<string | undefined>();
  // A company's code alone says nothing: its service has the key.
  expectTypeOf<DataClient['publicKey']>().toBeCallableWith('person-code');
  expectTypeOf<DataClient['publicKey']>().toBeCallableWith('company-code', 'service-code');
});

test('what a pump hands out', () => {
  expectTypeOf<Parameters<ChangePumpOptions['handle']>[0]>().toEqualTypeOf<Change>();
  type Own = { readonly row: number };
  expectTypeOf<Parameters<ChangePumpOptions<Own>['handle']>[0]>().toEqualTypeOf<Own>();
  expectTypeOf(ChangePump<Own>).constructorParameters.toEqualTypeOf<[options: ChangePumpOptions<Own>]>();
});

test('the answers of a step follow from its definition', () => {
  expectTypeOf<StepKeyOf<Lease>>().toEqualTypeOf<'tenant' | 'landlord'>();
  type Tenant = AnswersOf<Lease, 'tenant'>;
  expectTypeOf<keyof Tenant>().toEqualTypeOf<'name' | 'note' | 'country' | 'pets' | 'rating'>();
  expectTypeOf<Tenant['pets']>().toEqualTypeOf<'cat' | 'dog' | readonly ('cat' | 'dog')[]>();
  expectTypeOf<Tenant['rating']>().toEqualTypeOf<FlowPluginInput>();
  expectTypeOf<FlowFileInput>().toMatchTypeOf<NonNullable<Tenant['note']>>();
  const rating: FlowPluginInput = { answer: '{}' };
  const least: Tenant = { name: 'Anna', pets: 'cat', rating };
  expectTypeOf(least).toMatchTypeOf<Tenant>();
  // @ts-expect-error A required answer without a default has to be there.
  const without: Tenant = { pets: 'cat', rating };
  // @ts-expect-error A choice takes its own options alone.
  const bird: Tenant = { name: 'Anna', pets: 'bird', rating };
  void [without, bird];
});

test('a fill answers the steps of its definition, and may leave them to others', () => {
  const fill: FlowFill<Lease> = {
    landlord: ({ node }) => {
      expectTypeOf(node).toEqualTypeOf<FlowNode>();
      return { agreed: true };
    },
  };
  expectTypeOf<FlowRuns<never>['processRun']>().toBeFunction();
  // @ts-expect-error The flow has no such step.
  const unknown: FlowFill<Lease> = { neighbour: () => undefined };
  void [fill, unknown];
});
