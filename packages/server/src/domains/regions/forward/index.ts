export { CatchUp } from './catch-up.ts';
export { Forwarding } from './forwarding.ts';
export { forwardFederatedRoutes } from './routes.ts';
