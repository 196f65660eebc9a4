import type { enProfile } from './en-profile.ts';

export const deProfile: Readonly<Record<keyof typeof enProfile, string>> = {
  'profile.title': 'Profil',
  'profile.lead': 'Wie Menschen und andere Firmen die Ihre sehen, bevor sie sich verbinden und danach.',
  'profile.seen': 'So sehen sie es',
  'profile.code': 'Code {code}',
  'profile.name': 'Name der Firma',
  'profile.name.text': 'Alle, die verbunden sind, sehen sofort den neuen Namen.',
  'profile.photos': 'Fotos',
  'profile.photos.lead':
    'Eines steht neben Ihrem Namen; Dienste zeigen andere auf ihren Seiten. JPEG, PNG oder WebP. Wo und womit sie aufgenommen wurden, wird entfernt.',
  'profile.photos.none': 'Noch keine Fotos',
  'profile.photos.none.text': 'Das erste steht neben Ihrem Namen anstelle seines Buchstabens.',
  'profile.photo.add': 'Foto hinzufügen',
  'profile.photo.number': 'Foto {number}, {date}',
  'profile.photo.size': '{width} × {height}',
  'profile.photo.shown': 'Neben Ihrem Namen',
  'profile.photo.show': 'Neben dem Namen zeigen',
  'profile.photo.takeOff': 'Wegnehmen',
  'profile.photo.delete': 'Löschen',
  'profile.photo.delete.title': 'Dieses Foto löschen?',
  'profile.photo.delete.text': 'Weder Ihr Profil noch ein Dienst zeigt es danach.',
  'profile.card': 'Visitenkarte',
  'profile.card.lead':
    'Alle, die Ihrer Firma begegnen, lesen das; es ist das Einzige, was nicht versiegelt ist.',
  'profile.card.none': 'Noch leer',
  'profile.card.none.text':
    'Eine Adresse, eine Telefonnummer oder eine Website hilft Menschen zu erkennen, dass Sie es sind.',
  'profile.card.add': 'Zur Karte hinzufügen',
  'profile.card.remove': 'Von der Karte nehmen',
  'keys.title': 'Schlüssel und Sicherheit',
  'keys.lead': 'Wer öffnen kann, was Ihre Firma für sich versiegelt hat, und wo Sie angemeldet sind.',
  'keys.recovery': 'Wiederherstellungsschlüssel',
  'keys.recovery.lead':
    'Passphrasen und Geheimnisse können neben ihren Dateien für ihn versiegelt werden. Wer ihn hält, öffnet diese Kopien mit dem eigenen Passwort.',
  'keys.words': 'Seine Wörter:',
  'keys.holders': 'Wer ihn hält',
  'keys.holders.few':
    'Nur eine Person hält ihn. Geht dieser Zugang verloren, ist alles verloren, wovon es keine Datei gibt. Lassen Sie ihn von einem Inhaber mit einer zweiten Person teilen.',
  'keys.holds': 'Hält ihn',
  'keys.holdsNot': 'Hält ihn nicht',
  'keys.copies': 'Kopien für den Wiederherstellungsschlüssel',
  'keys.copies.lead': 'Die Plattform bewahrt sie versiegelt auf. Sie kann sie nicht öffnen.',
  'keys.copies.none': 'Noch keine Kopien',
  'keys.copies.none.text':
    'Wenn Sie hier Schlüssel oder Geheimnisse machen, können Sie eine Kopie für den Wiederherstellungsschlüssel behalten.',
  'keys.copy.client_secret': 'Geheimnis eines Clients',
  'keys.copy.service_passphrase': 'Passphrase eines Dienstschlüssels',
  'keys.devices': 'Geräte ohne zweiten Faktor',
  'keys.devices.lead': 'Auf ihnen wollten Sie für einige Zeit nicht gefragt werden.',
  'keys.devices.forget': 'Dort wieder fragen',
  'signInMeans.title': 'Ihre Anmeldung',
  'signInMeans.lead':
    'So melden Sie sich als {email} im Portal an. Ihre Kolleginnen und Kollegen haben ihre eigene Anmeldung.',
  'signInMeans.last': 'Es ist Ihr letzter Passkey. Danach melden Sie sich mit dem Passwort an.',
  'signInMeans.recovery':
    'Damit ersetzen Sie ein verlorenes Passwort und behalten Ihre Schlüssel. Ein neuer macht den bisherigen ungültig.',
  'signInMeans.locked':
    'Sie haben sich ohne Passwort angemeldet. Es öffnet den Schlüssel, um den es hier geht.',
};
