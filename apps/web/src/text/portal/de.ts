import type { PortalCatalogue } from './index.tsx';

export const dePortal: PortalCatalogue = {
  'portal.pages': 'Seiten des Portals',
  'portal.signIn': 'Im Portal anmelden',
  'portal.signIn.lead': 'Mit dem Zugang Ihrer Firma.',
  'portal.services': 'Dienste',
  'portal.services.lead': 'Was Ihre Firma Menschen und anderen Firmen anbietet.',
  'portal.services.none': 'Noch keine Dienste',
  'portal.services.none.text': 'Legen Sie einen mit dem SDK an: Seine Schlüssel entstehen auf Ihrer Seite.',
  'portal.service.name': 'Name',
  'portal.service.code': 'Code',
  'portal.service.connections': 'Verbindungen',
  'portal.connections.one': '1 Verbindung',
  'portal.connections.other': '{count} Verbindungen',
  'portal.audience.person': 'für Menschen',
  'portal.audience.company': 'für Firmen',
  'portal.audience.both': 'für Menschen und Firmen',
};
