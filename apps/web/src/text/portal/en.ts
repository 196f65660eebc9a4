/** What only the portal of companies says. */
export const enPortal = {
  'portal.pages': 'Pages of the portal',
  'portal.signIn': 'Sign in to the portal',
  'portal.signIn.lead': 'With the login of your company.',
  'portal.services': 'Services',
  'portal.services.lead': 'What your company offers to people and to other companies.',
  'portal.services.none': 'No services yet',
  'portal.services.none.text': 'Create one with the SDK: its keys are made on your side.',
  'portal.service.name': 'Name',
  'portal.service.code': 'Code',
  'portal.service.connections': 'Connections',
  'portal.connections.one': '1 connection',
  'portal.connections.other': '{count} connections',
  'portal.audience.person': 'for people',
  'portal.audience.company': 'for companies',
  'portal.audience.both': 'for people and companies',
} as const;
