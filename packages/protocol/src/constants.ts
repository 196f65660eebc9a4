/** What needs no schema library: for clients that want nothing of the wire but its names and numbers. */
export * from './access.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './field-type-names.ts';
export * from './levels.ts';
export * from './limits.ts';
