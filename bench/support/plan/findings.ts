/** What the plan means for the design: what is partitioned, and what stands in the way. */
export const FINDINGS = `## What is partitioned, and by what

| of | by | on |
|---|---|---|
| companies with all that is theirs (services, connections, answers, feeds, queues, documents, runs) | \`company_id\`, first in their keys | one PostgreSQL: hash partitions of the large tables, read replicas for lists; then Citus, distributed by \`company_id\` and co-located; then more regions, with companies moved between them |
| people with their fields, passkeys and sessions | the id of the person | the region of the person; within one, hash partitions by it |
| changes and queued events | \`company_id\`, and within it the feed or the webhook | range partitions by time are no use: a row goes when it is confirmed |
| the directory of names | the name | every front door has a replica; it holds names alone |

More regions come first: the platform has them already, and a company moves between them while it works.

## What the design forbids today

A unique index of a partitioned table must hold the key by which it is partitioned. Where an id alone is unique, the table cannot be
partitioned by company before the index is (\`company_id\`, id) and each look-up by an id alone names the company:
\`connections_id\`, \`services_id\`, \`documents_id\`, \`flows_id\`, \`flow_runs_id\`, \`run_documents_document\`, \`webhooks_id\`,
\`connect_requests_id\`, \`two_factor_challenges_id\`, \`photos_id\`, \`oauth_apps_client\`, and \`connections_customer\` (service, customer).
Proposal: ids are UUIDs and collide with nothing; keep a plain index for look-ups, and put the company into the primary key alone.

- \`companies_email\`, \`companies_code\`, \`persons_email\`, \`persons_share_code\`, \`portal_logins_email\`: names that are unique over all.
  Proposal: reserve them in \`share_codes\` and in one table of addresses, partitioned by the hash of the name.
- \`portal_sessions_token\`, \`person_sessions_token\`, \`trusted_devices_token\`, \`person_passkeys_credential\`: found by a hash without an owner.
  Proposal: partition by that hash, or put the owner into the token.
- \`row_count_changes\`: one process at a time sums it up under one advisory lock, over all keys. A lane for all.
  Proposal: one lock for each hash of the key.
- The sweep worker runs all sweeps one after the other in each process, each over the whole region: \`changes\`, \`webhook queues\`, \`jobs\`, \`blobs\`,
  \`people's sessions\`, \`sign-in state\`, \`broadcasts\`, \`ending contracts\`, \`files given once\`.
  One long lane for all. Proposal: a lane for each sweep.
- Sixteen edits at once by customers of one service were refused with \`service.busy\` on PostgreSQL, on a machine that was very busy: they wait for
  rows that they share, so one service is a lane. Proposal: measure edits of one service by many people on PostgreSQL, and find the lock.
- A drain on PostgreSQL takes 25 times as long with 1,000,000 changes waiting as with 1,000 (the table above), on SQLite 1.4 times.
  A consumer that far behind drains some 500 a second. The reason is not known. Proposal: look at the plan of the claim in a feed of that length.`;
