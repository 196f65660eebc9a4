/** For development: a made person that answers a service with made-up values. */
export { sampleValue } from './sample-value.ts';
export { isMandatory, liveRows, SandboxCustomer, type SandboxService } from './sandbox-customer.ts';
