import type { Service } from '@symbolon/protocol';
import { keys, type Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';

const PAGE = 100;

/** Every service of the company. */
export const services: Query<readonly Service[]> = { key: keys.services, read: listServices };

async function listServices(): Promise<readonly Service[]> {
  const services: Service[] = [];
  for (;;) {
    const path = `/api/services?limit=${PAGE}&offset=${services.length}`;
    const page = await portalCall<{ total: number; items: Service[] }>('GET', path);
    services.push(...page.items);
    if (page.items.length === 0 || services.length >= page.total) return services;
  }
}

export const readService = (id: string) => portalCall<Service>('GET', `/api/services/${id}`);
export const serviceQuery = (id: string): Query<Service> => ({
  key: keys.service(id),
  read: () => readService(id),
});
