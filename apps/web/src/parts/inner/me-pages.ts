/** The pages of a person who is signed in. `waiting` names what is counted beside one. */
export const ME_PAGES = [
  { to: '/me', title: 'me.home', lead: 'me.home.lead', waiting: undefined },
  { to: '/me/approvals', title: 'approvals.title', lead: 'approvals.lead', waiting: 'approvals' },
  { to: '/me/messages', title: 'messages.title', lead: 'messages.lead', waiting: 'messages' },
  { to: '/me/documents', title: 'documents.title', lead: 'documents.lead', waiting: 'documents' },
  { to: '/me/flows', title: 'flows.title', lead: 'flows.lead', waiting: 'flows' },
  { to: '/me/requests', title: 'requests.title', lead: 'requests.lead', waiting: 'requests' },
  {
    to: '/me/connections',
    title: 'connections.title',
    lead: 'connections.lead',
    waiting: 'connections',
  },
  { to: '/me/fields', title: 'fields.title', lead: 'fields.lead', waiting: undefined },
  { to: '/me/enrolments', title: 'enrolments.title', lead: 'enrolments.lead', waiting: undefined },
  { to: '/me/security', title: 'security.title', lead: 'security.lead', waiting: undefined },
] as const;
