/** The names and numbers of the wire without the schema library, for clients. */
export * from './access.ts';
export * from './audit-actions.ts';
export * from './base-url.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './field-type-names.ts';
export * from './flow-words.ts';
export * from './levels.ts';
export * from './limits.ts';
export * from './person-reads.ts';
export * from './retry-after.ts';
