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
    'Nur eine Person hält ihn. Geht dieser Zugang verloren, ist alles verloren, wovon es keine Datei gibt. Wer ihn hält, gibt ihn hier einer zweiten Person mit der Rolle Inhaber oder Admin.',
  'keys.holds': 'Hält ihn',
  'keys.holdsNot': 'Hält ihn nicht',
  'keys.holder.noKey': 'braucht erst ein neues Passwort',
  'keys.own': 'Ihre Wörter',
  'keys.own.title': 'Die Wörter Ihres Schlüssels',
  'keys.own.text':
    'Ihr Passwort öffnet Ihren Schlüssel in diesem Browser, der dann seine Wörter nennt. Nichts wird gesendet.',
  'keys.own.show': 'Wörter zeigen',
  'keys.own.read':
    'Lesen Sie sie der Person vor, die Ihnen den Wiederherstellungsschlüssel gibt, am Telefon oder nebeneinander. Diese Wörter sind nicht geheim.',
  'keys.give': 'Weitergeben',
  'keys.give.title': 'Den Wiederherstellungsschlüssel an {name} geben',
  'keys.give.text':
    'Wer ihn hat, öffnet jede Kopie weiter unten. Fragen Sie {name} am Telefon nach den Wörtern, die diese Seite dort unter „Ihre Wörter“ zeigt. Nur wenn es dieselben sind, ist es der richtige Schlüssel.',
  'keys.give.words': 'Wörter des Schlüssels von {name}:',
  'keys.give.compared': '{name} hat mir dieselben Wörter vorgelesen',
  'keys.give.act': 'Schlüssel geben',
  'keys.give.again':
    'Er ist versiegelt. Bestätigen Sie noch einmal, dass Sie es sind, dann wird er gesendet: Jeder Code gilt nur einmal.',
  'keys.copies': 'Kopien für den Wiederherstellungsschlüssel',
  'keys.copies.lead': 'Die Plattform bewahrt sie versiegelt auf. Sie kann sie nicht öffnen.',
  'keys.recovery.other':
    'Die Plattform nennt einen anderen Wiederherstellungsschlüssel als den, den dieser Browser kennt. Vergleichen Sie keine Wörter und versiegeln Sie nichts für ihn: Fragen Sie Ihr Team, ob der Schlüssel ersetzt wurde.',
  'keys.copies.none': 'Noch keine Kopien',
  'keys.copies.none.text':
    'Wenn Sie hier Schlüssel oder Geheimnisse machen, können Sie eine Kopie für den Wiederherstellungsschlüssel behalten.',
  'keys.copies.others':
    'Sie halten den Wiederherstellungsschlüssel nicht und können diese Kopien nicht öffnen. Ihn halten: {names}. Bitten Sie darum, ihn auf dieser Seite zu bekommen.',
  'keys.copies.nobody':
    'Niemand hält den Wiederherstellungsschlüssel, also kann niemand diese Kopien öffnen.',
  'keys.copy.client_secret': 'Geheimnis eines Clients',
  'keys.copy.service_passphrase': 'Passphrase eines Dienstschlüssels',
  'keys.copy.open': 'Kopie öffnen',
  'keys.copy.open.text':
    'Ihr Passwort öffnet den Wiederherstellungsschlüssel in diesem Browser, und der öffnet die Kopie. Das Protokoll vermerkt es.',
  'keys.copy.client_secret.opened':
    'Es steht nur auf dieser Seite. Kopieren Sie es, oder speichern Sie es als Datei, wie ein Backend sie liest.',
  'keys.copy.service_passphrase.opened':
    'Sie steht nur auf dieser Seite. Kopieren Sie sie, oder speichern Sie sie als Datei, die neben der Schlüsseldatei liegt.',
  'keys.copy.lock': 'Wieder sperren',
  'keys.account': 'Kontoschlüssel',
  'keys.account.lead': 'Er öffnet, was Webhooks versiegelt senden. Ein Backend liest ihn aus zwei Dateien.',
  'keys.account.save': 'Kontoschlüssel speichern',
  'keys.account.save.text': 'Verschlüsselt, mit einer Passphrase, die hier entsteht',
  'keys.account.prove':
    'Der Schlüssel wird mit einer neuen Passphrase verschlüsselt. Sie speichern beides als Datei; frühere Dateien gelten weiter.',
  'keys.account.make': 'Dateien machen',
  'keys.account.files': 'Speichern Sie beide Dateien, und bewahren Sie sie an zwei Orten auf.',
  'settings.key': 'Schlüssel des Dienstes',
  'settings.key.lead':
    'Die Plattform bewahrt die Schlüsseldatei auf, die mit dem Dienst gemacht wurde. Sie ist verschlüsselt: Ohne ihre Passphrase öffnet sie nichts.',
  'settings.key.save': 'Schlüsseldatei speichern',
  'settings.key.save.text': 'Wenn Ihre eigene verloren ist',
  'settings.key.prove':
    'Ihre Passphrase steht in der Datei, die daneben gespeichert wurde, oder in einer Kopie für den Wiederherstellungsschlüssel, die Inhaber und Admins unter „Schlüssel und Sicherheit“ öffnen.',
  'error.account.recovery_key_not_shared':
    'Sie halten den Wiederherstellungsschlüssel nicht. Bitten Sie jemanden, der ihn hält, ihn Ihnen auf dieser Seite zu geben.',
  'error.account.recovery_key_holder_changed':
    'Der Schlüssel dieses Zugangs hat sich inzwischen geändert. Laden Sie die Seite neu und vergleichen Sie die neuen Wörter.',
  'error.account.recovery_key_invalid':
    'Die Plattform hat das Versiegelte nicht angenommen. Laden Sie die Seite neu.',
  'error.delegates.not_found':
    'Diesen Zugang gibt es nicht mehr, oder seine Rolle hat sich geändert. Laden Sie die Seite neu.',
  'error.auth.proof_required':
    'Die Bestätigung wurde schon benutzt oder ist zu alt. Bestätigen Sie noch einmal, dass Sie es sind.',
  'error.services.private_key_pem_missing':
    'Zu diesem Dienst wurde keine Schlüsseldatei aufbewahrt. Ein Programm hat den Schlüssel gemacht und hat ihn.',
  'error.sdk.password_wrong': 'Dieses Passwort öffnet Ihren Schlüssel nicht.',
  'error.sdk.recovery_key_changed':
    'Die Plattform nennt einen anderen Wiederherstellungsschlüssel, als dieser Browser kennt. Nichts wurde geöffnet. Fragen Sie eine Inhaberin oder einen Inhaber, ob er ersetzt wurde.',
  'error.sdk.recovery_key_damaged':
    'Ihre Kopie des Wiederherstellungsschlüssels lässt sich mit Ihrem Schlüssel nicht öffnen. Wer ihn sonst hält, kann helfen: Sagen Sie es einer Inhaberin oder einem Inhaber.',
  'error.page.recovery_copy_unreadable':
    'Der Wiederherstellungsschlüssel öffnet diese Kopie nicht. Sie wurde für einen anderen versiegelt.',
  'move.title': 'Wo die Firma zu Hause ist',
  'move.act': 'In eine andere Region umziehen',
  'move.act.text': 'Alle Daten der Firma gehen dorthin; Kunden bleiben verbunden.',
  'move.all': 'Alle Dienste, Kunden, Dokumente und Schlüssel ziehen um. Nichts muss neu eingerichtet werden.',
  'move.paused':
    'Während Zeilen kopiert werden, einige Minuten lang, kann nichts geschrieben werden. Nichts geht verloren.',
  'move.clients': 'Backends, die die alte Adresse kennen, erfahren die neue und machen dort weiter.',
  'move.region': 'Umziehen nach',
  'move.same': 'Die Region, in der die Firma schon zu Hause ist, wird abgelehnt.',
  'move.under_way': 'Unterwegs von {from} nach {to}, seit',
  'move.done': 'Umgezogen von {from} nach {to}',
  'move.undone': 'Der Umzug von {from} nach {to} wurde zurückgenommen',
  'end.title': 'Das Ende des Kontos',
  'end.delete': 'Unternehmen löschen',
  'end.delete.text': 'Mit allen Diensten, Kunden und Zugängen. 14 Tage lang lässt es sich zurücknehmen.',
  'end.services': 'Alle Dienste enden, mit ihren Fragen, Schlüsseln, Webhooks, Clients und Abläufen.',
  'end.customers': 'Alle Kunden werden getrennt. Verträge, die sie unterschrieben haben, behalten sie.',
  'end.logins': 'Niemand aus Ihrem Team kann sich mehr anmelden.',
  'end.copies': 'Versiegelte Kopien für den Wiederherstellungsschlüssel werden gelöscht.',
  'end.grace': '14 Tage lang kann eine Inhaberin oder ein Inhaber es zurücknehmen. Dann ist es endgültig.',
  'end.type': 'Geben Sie den Namen des Unternehmens ein: {name}',
  'end.mailed': 'Ein Code wurde an {email} gesendet. Mit ihm beginnen die 14 Tage.',
  'end.confirm': 'In 14 Tagen löschen',
  'end.pending': 'Das Unternehmen wird gelöscht',
  'end.pending.text': 'Bis dahin geht alles wie bisher, und es lässt sich zurücknehmen.',
  'end.withdraw': 'Unternehmen behalten',
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
