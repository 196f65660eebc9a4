import type { enApps } from './en-apps.ts';

export const deApps: Readonly<Record<keyof typeof enApps, string>> = {
  'apps.title': 'Anmelde-Apps',
  'apps.lead':
    'Ihre Seiten und Apps, bei denen sich Menschen mit dem anmelden, was sie hier haben, mit OpenID Connect. Sie können nach Angaben fragen, etwa nach dem Namen, versiegelt für den Schlüssel der App.',
  'apps.none': 'Noch keine Anmelde-Apps',
  'apps.none.text':
    'Legen Sie eine an für eine Seite oder App, bei der sich Menschen ohne ein weiteres Passwort anmelden sollen.',
  'apps.new': 'Neue Anmelde-App',
  'apps.name': 'Name',
  'apps.name.hint': 'Menschen sehen ihn, wenn sie sich anmelden.',
  'apps.type': 'Wo sie läuft',
  'apps.type.confidential': 'Auf einem Server',
  'apps.type.confidential.hint': 'Sie hat ein Geheimnis und zeigt es, wenn sie einen Code eintauscht.',
  'apps.type.public': 'Auf Geräten',
  'apps.type.public.hint': 'Im Browser oder auf dem Telefon, ohne Geheimnis; sie verwendet PKCE.',
  'apps.uris': 'Adressen zum Zurückkehren',
  'apps.uris.hint':
    'Eine in jeder Zeile, genau verglichen: https, http auf diesem Gerät beim Entwickeln, oder das Schema einer App.',
  'apps.new.claims': 'Sie fragt nach Angaben',
  'apps.new.claims.hint':
    'Ihr Schlüssel entsteht hier, auf diesem Gerät. Ohne ihn melden sich Menschen nur an.',
  'apps.new.make': 'Schlüssel machen',
  'apps.new.keys.text':
    'Der Schlüssel entsteht auf diesem Gerät. Angaben werden für ihn versiegelt, und nur diese zwei Dateien öffnen sie. Speichern Sie beide, dann wird die App angelegt.',
  'apps.new.create': 'App anlegen',
  'apps.secret.made': 'Geheimnis angelegt',
  'apps.preview': 'Die Seite zur Anmeldung sehen, wie Menschen sie sehen',
  'apps.look': 'Vorschau',
  'apps.look.text':
    'So sieht eine Anmeldung, die nach Name und E-Mail fragt, mit Ihren Eingaben aus. Noch ist nichts gespeichert, und die Knöpfe tun nichts.',
  'apps.look.width': 'Breite der Vorschau',
  'apps.look.desk': 'Schreibtisch',
  'apps.look.phone': 'Telefon',
  'apps.look.noName': 'Der Name',
  'apps.look.noAddress': 'noch keine Adresse',
  'apps.look.answer': 'Eine Antwort, die der Mensch auswählt',
  'apps.look.origins': 'Menschen kommen zurück zu {origins}.',
  'apps.roll.text':
    'Das bisherige Geheimnis gilt sofort nicht mehr: Die App meldet niemanden an, bis sie das neue hat.',
  'apps.delete': 'Löschen',
  'apps.delete.title': '{name} löschen?',
  'apps.delete.text': 'Niemand kann sich mehr bei ihr anmelden, und ihr Schlüssel wird hier gelöscht.',
  'apps.service': 'Dienst',
  'apps.service.hint':
    'Für Menschen, die sich beim Anmelden verbinden oder für den zweiten Faktor eintragen.',
  'apps.service.none': 'keiner',
  'apps.claims': 'Angaben bei jeder Anmeldung',
  'apps.claims.noKey':
    'Sie hat keinen Schlüssel, also melden sich Menschen nur an. Eine neue App bekommt einen.',
  'apps.claim.name.required': 'Der Name ist nötig',
  'apps.claim.name.verified': 'Nur ein bestätigter Name',
  'apps.claim.email.required': 'Die E-Mail-Adresse ist nötig',
  'apps.claim.email.verified': 'Nur eine bestätigte E-Mail-Adresse',
  'apps.delivery': 'Wie Angaben ankommen',
  'apps.delivery.encrypted': 'versiegelt für den Schlüssel der App',
  'apps.delivery.plaintext': 'lesbar, auch für die Plattform, solange sie warten',
  'apps.require2fa': 'Menschen beweisen bei jeder Anmeldung einen zweiten Faktor',
  'apps.detached': 'Eine Anmeldung darf auf einem anderen Gerät freigegeben werden',
  'apps.detached.hint': 'Für Bildschirme ohne Tastatur: Der Link oder Code wird auf einem Telefon geöffnet.',
  'apps.algorithm': 'Signatur der ID-Tokens',
};
