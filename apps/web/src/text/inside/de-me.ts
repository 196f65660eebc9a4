import type { enMe } from './en-me.ts';

export const deMe: Readonly<Record<keyof typeof enMe, string>> = {
  'account.things': 'Meine Sachen',
  'account.name': 'Name',
  'account.name.text':
    'Unternehmen, mit denen Sie verbunden sind, sehen den neuen Namen, wenn sie das nächste Mal nachsehen.',
  'account.name.save': 'Diesen Namen behalten',
  'account.photo': 'Foto',
  'account.photo.text': 'Nur Sie sehen es hier. Ein Unternehmen sieht es, wenn Sie es teilen.',
  'account.photo.none': 'Fügen Sie eines hinzu: Nur Sie sehen es, bis Sie es teilen.',
  'account.email': 'E-Mail-Adresse',
  'account.email.text':
    'Damit melden Sie sich an, und dorthin geht, was Ihr Konto betrifft. Passwort und Wiederherstellungscode bleiben, wie sie sind.',
  'account.email.new': 'Neue Adresse',
  'account.email.proof':
    'Bestätigen Sie, dass Sie es sind. Dann geht ein Code an {email} und eine Nachricht an die bisherige Adresse.',
  'account.email.send': 'Code schicken',
  'account.email.done': 'Ab jetzt melden Sie sich mit {email} an.',
  'account.passkeys.opens': '{name} öffnet',
  'account.passkeys.signs': '{name} meldet nur an',
  'account.activity.text': 'Was Unternehmen fragten und schickten, und jede Anmeldung',
  'account.export.text': 'Eine Datei, die sich ohne uns öffnet',

  'recovery.try': 'Den Wiederherstellungscode ausprobieren',
  'recovery.try.text':
    'Suchen Sie ihn und tippen Sie ihn hier. Es wird geprüft, ob er noch öffnet, was Sie aufbewahren. Der Code bleibt gültig.',
  'recovery.check': 'Den Code prüfen',
  'recovery.works': 'Er stimmt: Mit diesem Code öffnen sich Ihre Werte.',
  'recovery.found': 'Zuletzt gefunden',
  'recovery.never': 'Sie haben ihn noch nicht ausprobiert',
  'recovery.due': 'fällig',
  'recovery.make.text': 'Der bisherige gilt dann nicht mehr',

  'passkeys.opensKey.text': 'Dieser Passkey meldet an, gibt frei und öffnet Ihre Werte.',
  'passkeys.signsOnly.text':
    'Dieser Passkey meldet an und gibt frei. Sein Gerät kann Ihre Werte nicht öffnen: Dafür wird das Passwort verlangt.',
  'passkeys.last':
    'Es ist Ihr letzter Passkey. Danach kommen Sie mit dem Passwort und dem Wiederherstellungscode hinein.',
  'passkeys.last.unproven':
    'Es ist Ihr letzter Passkey, und Sie haben noch nicht gezeigt, dass Sie den Wiederherstellungscode haben. Zwei Wege hinein bleiben: Tippen Sie zuerst den Code, oder machen Sie einen neuen.',

  'totp.manage': 'Codes und Ausschalten',
  'totp.left': 'noch {left} Wiederherstellungscodes',

  'deletion.export': 'Vorher alles mitnehmen',

  'home.first': 'Erste Schritte',
  'home.first.field': 'Erste Angaben hinterlegen',
  'home.first.field.text': 'Etwa Ihre Telefonnummer: Sie tippen sie nur einmal.',
  'home.first.connect': 'Code scannen oder eintippen',
  'home.first.connect.text': 'Er verbindet Sie mit einer Firma.',
  'home.first.push': 'Mitteilungen einschalten',
  'home.first.push.text': 'Damit Sie hören, wenn eine Firma fragt, ob Sie es sind.',
  'home.advice.recovery': 'Finden Sie Ihren Wiederherstellungscode?',
  'home.advice.recovery.text':
    'Ohne ihn ist mit einem verlorenen Passwort alles verloren, was Sie aufbewahren.',

  'activity.title': 'Aktivität',
  'activity.lead':
    'Was Unternehmen fragten und schickten, und jede Anmeldung an Ihrem Konto in den letzten 90 Tagen.',
  'activity.show': 'Was gezeigt wird',
  'activity.show.all': 'Alles',
  'activity.show.account': 'Konto',
  'activity.show.companies': 'Unternehmen',
  'activity.none': 'Noch ist nichts geschehen',
  'activity.none.text': 'Anmeldungen und was Unternehmen fragen und schicken, erscheint hier.',
  'activity.registered': 'Sie haben dieses Konto gemacht',
  'activity.signed_in': 'Mit dem Passwort angemeldet',
  'activity.signed_in_by_passkey': 'Mit einem Passkey angemeldet',
  'activity.recovered': 'Neues Passwort durch den Wiederherstellungscode',
  'activity.password_changed': 'Passwort geändert',
  'activity.recovery_code_made': 'Neuer Wiederherstellungscode gemacht',
  'activity.recovery_code_confirmed': 'Wiederherstellungscode gefunden und ausprobiert',
  'activity.name_changed': 'Name geändert',
  'activity.email_changed': 'E-Mail-Adresse geändert',
  'activity.site.approved': 'Sie haben {app} geantwortet',
  'activity.site.refused': 'Sie haben {app} abgelehnt',
  'activity.site.not_me': 'Sie haben {app} gesagt, dass Sie es nicht waren',
  'activity.site.revoked': 'Sie haben {app} geantwortet und beendet, was es liest',
  'activity.end': 'Beenden',
  'activity.end.of': 'Beenden, was {app} liest',
  'activity.end.text':
    'Codes und Tokens gelten sofort nicht mehr, auch die anderer Geräte. Was schon gelesen ist, kann behalten worden sein. Bei der nächsten Anmeldung werden Sie wieder gefragt.',
  'activity.end.confirm': 'Jetzt beenden',

  'export.title': 'Alles mitnehmen',
  'export.lead': 'Alles, was Symbolon über Sie hat, in einer Zip-Datei, die sich ohne Symbolon öffnet.',
  'export.has.page': 'open.html, eine Seite, die alles in einem Browser öffnet, auch ohne Netz',
  'export.has.data':
    'data.json, Ihre Felder, Verbindungen, Nachrichten, Dokumente, Abläufe und Anmeldungen, für Programme',
  'export.has.files': 'Ihre Dateien und die Ihrer Dokumente',
  'export.sealed':
    'Sie bleibt versiegelt: Das Passwort von heute öffnet sie, auch wenn Sie es hier geändert oder verloren haben. Bewahren Sie die beiden getrennt auf.',
  'export.password': 'Ihr Passwort, das die Datei später öffnet',
  'export.make': 'Die Datei machen',
  'export.working': 'Ihre Daten werden gesammelt',
  'export.done': '{name} ist fertig. Entpacken Sie sie und öffnen Sie die Seite darin.',
  'export.missing.one': '{count} Sache war nicht lesbar und fehlt darin:',
  'export.missing.other': '{count} Sachen waren nicht lesbar und fehlen darin:',
  'export.readme':
    'Das ist alles, was Symbolon über Sie hatte. Entpacken Sie es, öffnen Sie open.html in einem Browser und tippen Sie das Passwort des Tages, an dem es gemacht wurde. Die Seite braucht kein Netz und schickt nichts.\n\ndata.json hat dasselbe für Programme. Wo ein Wert ein Objekt oder ein Text mit den Teilen _enc, k, iv und d ist, ist er versiegelt: k ist ein AES-256-Schlüssel unter RSA-OAEP (SHA-256) für Ihren Schlüssel, iv und d sind AES-GCM. Ihr privater Schlüssel (PKCS#8) steht in key.encrypted_private_key, AES-256-GCM unter den letzten 32 von 64 Bytes von PBKDF2-SHA-256 (600.000 Runden) aus dem Passwort und key.salt.\n\nDer Ordner files hat Dateien, wie die Plattform sie aufbewahrte: ebenso versiegelt, um einen Umschlag mit der Datei in base64.\n',
  'export.opener.title': 'Was meins ist',
  'export.opener.password': 'Passwort des Tages, an dem dies gemacht wurde',
  'export.opener.open': 'Öffnen',
  'export.opener.wrong': 'Das Passwort öffnet dies nicht.',
  'export.opener.forOthers': 'für das Unternehmen versiegelt',
  'export.opener.files': 'Dateien',
  'export.opener.choose': 'Wählen Sie die Zip-Datei, in der diese Seite war, um Dateien daraus zu speichern',
  'export.opener.save': 'Speichern',
  'export.opener.missing': 'Fehlt in dieser Datei',

  'companies.services': 'Dienste von {company}',

  'fields.private': 'Privat',
  'fields.private.text': 'In Abläufen sehen andere Beteiligte es nicht.',
  'fields.used': 'Ihre Dateien brauchen {size}.',
  'fields.share.again': 'Die Datei, die Sie geteilt haben, ist nicht angekommen. Teilen Sie sie noch einmal.',
  'fields.deleted': '{label} ist gelöscht',
  'fields.changed': '{label} ist geändert',

  'companies.stopped': '{label} wird nicht mehr geteilt',
  'enrolments.muted': '{service} ist stumm',
  'enrolments.unmuted': '{service} darf wieder fragen',

  undo: 'Rückgängig',
  'undo.label': 'Was eben geschah',
};
