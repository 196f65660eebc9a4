import { FieldTypeRegistry } from './registry.ts';
import { systemFieldTypes } from './system-field-types.ts';

/** The registry of the types that ship with the platform. */
export const systemRegistry = new FieldTypeRegistry(systemFieldTypes);
