import type { Core, Domain } from '../domain.ts';
import { FieldTypes } from './field-types.ts';
import { LiveRegistry } from './live-registry.ts';
import { Catalogue } from './registry.ts';
import { registryRoutes } from './routes.ts';
import { registryTables } from './tables.ts';

export type { FieldTypes } from './field-types.ts';
export type { LiveRegistry } from './live-registry.ts';
export { type Catalogue, isSeenBy } from './registry.ts';

/** The field types as data: those that ship and those that an operator added. */
export function createRegistry(core: Core) {
  const registry = new LiveRegistry();
  const catalogue = new Catalogue(registry);
  const fieldTypes = new FieldTypes({ ...core, registry });
  const domain: Domain = { tables: registryTables, routes: (app) => registryRoutes(app, { catalogue }) };
  return { registry, catalogue, fieldTypes, domain };
}
