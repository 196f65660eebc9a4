/** The pages of a person who is signed in. */
export const ME_PAGES = [
  { to: '/me/approvals', title: 'approvals.title', lead: 'approvals.lead' },
  { to: '/me/documents', title: 'documents.title', lead: 'documents.lead' },
  { to: '/me/enrolments', title: 'enrolments.title', lead: 'enrolments.lead' },
  { to: '/me/security', title: 'security.title', lead: 'security.lead' },
] as const;
