import { ACCOUNT_RESOURCES } from './account.ts';
import { DATA_RESOURCES } from './data.ts';
import { PROFILE_RESOURCES } from './profile.ts';
import { SERVICE_RESOURCES } from './services.ts';
import type { Resource } from './types.ts';

/** Every command that is a call of the API: parsing, help, completion and the page about commands are made of it. */
export const RESOURCES: readonly Resource[] = [
  ...SERVICE_RESOURCES,
  ...ACCOUNT_RESOURCES,
  ...PROFILE_RESOURCES,
  ...DATA_RESOURCES,
];
