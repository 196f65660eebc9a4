export { AccountFeedsElsewhere } from './account-feeds.ts';
export { AuditLogsElsewhere } from './audit-logs.ts';
export { CompanyCards, cardOf } from './cards.ts';
export { GoneCompanies } from './gone-companies.ts';
export { Introductions } from './introductions.ts';
