// biome-ignore-all lint/style/noExcessiveLinesPerFile: one catalogue
import { deApp } from './de-app.ts';
import { deConnections } from './de-connections.ts';
import { deDocuments } from './de-documents.ts';
import { deErrors } from './de-errors.ts';
import { deFlows } from './de-flows.ts';
import { deMe } from './de-me.ts';
import { deTalk } from './de-talk.ts';
import type { Catalogue } from './index.tsx';

export const de: Catalogue = {
  ...deErrors,
  ...deApp,
  ...deConnections,
  ...deDocuments,
  ...deFlows,
  ...deMe,
  ...deTalk,
  'app.language': 'Sprache',
  'app.appearance': 'Darstellung',
  'app.appearance.auto': 'Wie das Gerät',
  'app.appearance.light': 'Hell',
  'app.appearance.dark': 'Dunkel',
  'app.signOut': 'Abmelden',
  'app.loading': 'Wird geladen',
  'app.back': 'Zurück',
  'app.cancel': 'Abbrechen',
  'app.continue': 'Weiter',
  'app.copy': 'Kopieren',
  'app.copied': 'Kopiert',
  'app.download': 'Herunterladen',
  'app.needsSiteData':
    'Dieser Browser speichert keine Cookies und keine Daten dieser Website. Die Anmeldung braucht beides: Erlauben Sie es in den Einstellungen des Browsers für diese Website, und laden Sie diese Seite dann neu.',
  'form.missing': 'Füllen Sie dieses Feld aus.',
  'form.email': 'Schreiben Sie eine Adresse wie name@example.org.',
  'form.wrong': 'Das passt nicht. Prüfen Sie die Schreibweise.',
  'app.retry': 'Erneut versuchen',
  'app.away': 'Symbolon ist nicht erreichbar',
  'app.away.text': 'Sie sind nicht abgemeldet. Diese Seite geht weiter, sobald Symbolon wieder antwortet.',
  'app.away.region': 'Die Region Ihres Kontos antwortet nicht',
  'app.away.region.text':
    'Alles, was zu einem Konto gehört, liegt in einer Region von Symbolon. Sie sind nicht abgemeldet, und Ihr Passwort ist nicht falsch.',
  'app.close': 'Schließen',
  'app.skip': 'Zum Inhalt',
  'app.notFound': 'Diese Seite gibt es nicht',
  'app.notFound.text': 'Vielleicht ist die Adresse vertippt. Zu Ihren Seiten ist es ein Schritt.',
  'app.broken': 'Diese Seite lässt sich nicht anzeigen',
  'app.reload': 'Neu laden',
  'app.insecure': 'Hier kann diese Seite nicht arbeiten',
  'app.insecure.text':
    'Browser geben Schlüssel nur Seiten mit https-Adresse und solchen auf localhost. Öffnen Sie diese Seite dort.',

  'home.title': 'Was Sie teilen, und mit wem',
  'home.lead':
    'Firmen fragen Sie hier nach Antworten und ob eine Anmeldung von Ihnen ist. Ihre Antworten werden in diesem Browser versiegelt, und nur die Firma, der Sie sie geben, öffnet sie.',
  'home.companies': 'Für Firmen:',
  'home.portal': 'Portal',
  'home.developers': 'Für Entwickler:',
  'home.explorer': 'API-Explorer',
  'home.errors': 'Fehler',

  email: 'E-Mail-Adresse',
  password: 'Passwort',
  'password.show': 'Passwort anzeigen',

  'signIn.title': 'Anmelden',
  'signIn.submit': 'Anmelden',
  'signIn.passkey': 'Mit einem Passkey anmelden',
  'signIn.noAccount': 'Noch kein Konto?',
  'signIn.register': 'Konto anlegen',
  'signIn.forgot': 'Passwort verloren?',
  'signIn.notChecked': 'Ihr Passwort wurde nicht geprüft. Es kann richtig sein.',
  'signIn.private':
    'Ihr Passwort bleibt in diesem Browser. Symbolon bekommt einen Schlüssel, der daraus abgeleitet ist.',

  'register.title': 'Konto anlegen',
  'register.name': 'Ihr Name',
  'register.name.hint': 'Wie Menschen und Firmen Sie kennen',
  'register.password.hint': 'Mindestens 10 Zeichen. Niemand kann es für Sie zurücksetzen.',
  'register.private':
    'Dieser Browser erzeugt Ihre Schlüssel. Symbolon sieht Ihr Passwort nie und kann nicht lesen, was Sie speichern.',
  'register.submit': 'Konto anlegen',
  'register.working': 'Ihre Schlüssel werden erzeugt',
  'register.haveAccount': 'Sie haben ein Konto?',
  'register.code.title': 'Lesen Sie Ihre Mail',
  'register.code.text': 'Ein Code aus sechs Ziffern ist auf dem Weg an {email}. Er gilt 15 Minuten lang.',
  'register.code.label': 'Code aus der Mail',
  'register.code.submit': 'Adresse bestätigen',

  'recovery.title': 'Ihr Wiederherstellungscode',
  'recovery.text':
    'Er ist der einzige Weg zurück, wenn Sie Ihr Passwort verlieren. Er wird einmal angezeigt. Bewahren Sie ihn bei Ihren wichtigen Papieren auf.',
  'recovery.lost':
    'Ohne Passwort und Wiederherstellungscode kann niemand öffnen, was Sie gespeichert haben, auch Symbolon nicht.',
  'recovery.label': 'Wiederherstellungscode',
  'recovery.done': 'Ich habe den Code aufbewahrt',
  'recovery.file': 'symbolon-wiederherstellungscode.txt',
  'recovery.fileText': 'Wiederherstellungscode von {email} bei {host}:',

  'recover.title': 'Neues Passwort setzen',
  'recover.text': 'Ihr Wiederherstellungscode öffnet Ihre Schlüssel. Danach bekommen Sie einen neuen.',
  'recover.code': 'Wiederherstellungscode',
  'recover.code.hint': '52 Buchstaben und Ziffern, in Vierergruppen',
  'recover.password': 'Neues Passwort',
  'recover.submit': 'Neues Passwort setzen',
  'recover.working': 'Ihre Schlüssel werden geöffnet',

  'me.title': 'Angemeldet als {name}',
  'me.notYou': 'Nicht Sie?',
  'me.shareCode': 'Freigabecode: {code}',
  'me.copyCode': 'Freigabecode kopieren',

  'app.pages': 'Ihre Seiten',
  'app.waiting.one': '{count} wartet',
  'app.waiting.other': '{count} warten',

  'proof.passkey': 'Nach dem Knopf fragt Ihr Gerät nach Fingerabdruck, Gesicht oder PIN.',
  'proof.usePassword': 'Stattdessen das Passwort verwenden',
  'proof.password': 'Ihr Passwort, als Bestätigung, dass Sie es sind',
  'proof.totp': 'Code Ihrer Authenticator-App',
  'proof.totp.hint': 'Sechs Ziffern oder einer Ihrer Wiederherstellungscodes',
  'proof.totp.only': 'Sechs Ziffern. Wiederherstellungscodes gelten hier nicht.',
  'proof.mail': 'Code per Mail senden',
  'proof.mailed': 'Der Code ist unterwegs',
  'proof.mailedCode': 'Code aus der Mail',

  'approvals.title': 'Freigaben',
  'approvals.lead': 'Sagen Sie, ob eine Anmeldung von Ihnen ist, wenn ein Dienst fragt.',
  'approvals.asks': '{company} fragt: Sind Sie das?',
  'approvals.service': '{service} ({code})',
  'approvals.digits': 'Tippen Sie die zwei Ziffern ein, die {service} Ihnen zeigt',
  'approvals.digit': 'Ziffer {number}',
  'approvals.approve': 'Freigeben',
  'approvals.asked': 'Gefragt:',
  'approvals.later': 'Nicht jetzt',
  'approvals.others.one': 'Eine weitere wartet',
  'approvals.others.other': '{count} weitere warten',
  'approvals.deny': 'Nur ablehnen',
  'approvals.deny.notMe': 'Nein, das war ich nicht',
  'approvals.deny.notMe.text': 'Beendet es, meldet es an {company} und hält neue Fragen eine Weile fern.',
  'approvals.disowned':
    '{company} weiß Bescheid. Wer es versucht hat, kennt vielleicht Ihr Passwort dort: Ändern Sie es.',
  'approvals.disowned.mute': 'Nicht mehr fragen lassen',
  'approvals.expires': 'Läuft ab in {time}',
  'approvals.outcome.approved': 'Freigegeben',
  'approvals.outcome.denied': 'Abgelehnt',
  'approvals.outcome.expired': 'Die Zeit ist um',
  'approvals.outcome.revoked': 'Nicht mehr offen',
  'approvals.outcome.elsewhere': 'Anderswo beantwortet',
  'approvals.none': 'Gerade fragt Sie niemand',
  'approvals.none.text':
    'Wenn ein Dienst fragt, ob eine Anmeldung von Ihnen ist, erscheint hier von selbst eine Karte. Dienste, bei denen Sie eingeschrieben sind, stehen unter Dienste.',

  'push.switch': 'Dieses Gerät benachrichtigen',
  'push.on': 'Dieses Gerät meldet sich, wenn ein Dienst fragt, auch wenn keine Seite von Symbolon offen ist.',
  'push.off':
    'Solange das aus ist, sehen Sie nur auf dieser Seite, was ein Dienst fragt. Eine Anmeldung kann ungesehen ablaufen.',
  'push.unavailable':
    'Der Betreiber hat keine Benachrichtigungen eingerichtet. Sie sehen nur auf dieser Seite, was ein Dienst fragt.',
  'push.unsupported':
    'Dieser Browser hat keine Benachrichtigungen für diese Seite. Auf einem iPhone legen Sie die Seite zuerst auf den Home-Bildschirm.',
  'push.blocked':
    'Sie haben Benachrichtigungen dieser Seite blockiert. Erlauben Sie sie in den Einstellungen des Browsers.',
  'push.refused':
    'Der Browser hat keine Benachrichtigungen eingerichtet. Private Fenster und manche Browser haben keine: Nehmen Sie einen anderen, oder lassen Sie diese Seite offen.',

  'enrolments.title': 'Dienste',
  'enrolments.lead': 'Diese Dienste dürfen Sie bitten, Anmeldungen freizugeben.',
  'enrolments.none': 'Noch darf Sie kein Dienst fragen',
  'enrolments.none.text': 'Ein Dienst bietet das in seinen eigenen Einstellungen an, als zweiten Faktor.',
  'enrolments.since': 'eingeschrieben',
  'enrolments.mute': 'Stumm',
  'enrolments.mute.of': '{service} stumm schalten',
  'enrolments.mute.text':
    'Ein stummer Dienst kann Sie nicht fragen. Anmeldungen mit Ihrer Freigabe gelingen dort so lange nicht.',
  'enrolments.revoke': 'Einschreibung bei {service} beenden',
  'enrolments.revoke.text':
    '{service} kann Sie nicht mehr fragen. Offene Fragen werden zurückgezogen. Sie können sich beim Dienst neu einschreiben.',

  'security.title': 'Sicherheit',
  'security.lead': 'Wie Sie sich anmelden, und wo Sie angemeldet sind.',

  'passkeys.title': 'Passkeys',
  'passkeys.lead': 'Fingerabdruck, Gesicht oder PIN statt des Passworts, zum Anmelden und Freigeben.',
  'passkeys.opensKey': 'öffnet Ihre Werte',
  'passkeys.signsOnly': 'meldet nur an',
  'passkeys.made': 'erzeugt',
  'passkeys.add': 'Passkey hinzufügen',
  'passkeys.make': 'Passkey erzeugen',
  'passkeys.name': 'Name des Passkeys',
  'passkeys.name.hint': 'Damit Sie ihn wiedererkennen, etwa „Mein Telefon“',
  'passkeys.byPasskey':
    'Einer Ihrer Passkeys bestätigt das. Haben Sie alle verloren, entfernen Sie sie zuerst: Dann bestätigt es ein Code per Mail.',
  'passkeys.remove.of': '{name} entfernen',

  'totp.title': 'Authenticator-App',
  'totp.lead': 'Neben dem Passwort wird ein Code aus einer App auf Ihrem Telefon verlangt.',
  'totp.on': 'Ein',
  'totp.switchOn': 'Einschalten',
  'totp.switchOff': 'Ausschalten',
  'totp.makeCodes': 'Neue Wiederherstellungscodes erzeugen',
  'totp.codes': 'Wiederherstellungscodes des zweiten Faktors',
  'totp.codes.text':
    'Jeder dieser Codes gilt einmal, wenn Ihr Telefon nicht da ist. Sie werden nur dieses Mal angezeigt.',
  'totp.file': 'symbolon-codes-zweiter-faktor.txt',
  'totp.scan': 'Scannen Sie dies mit Ihrer Authenticator-App.',
  'totp.qr': 'QR-Code für die Authenticator-App',
  'totp.type': 'Oder tippen Sie dies in die App:',
  'totp.first': 'Der Code, den die App zeigt',

  'password.lead':
    'Es öffnet Ihre Schlüssel. Nach einer Änderung muss sich jeder andere Browser neu anmelden.',
  'password.current': 'Jetziges Passwort',
  'password.change': 'Passwort ändern',
  'password.byPasskey': 'Ihr Passkey bestätigt die Änderung: Er öffnet Ihre Schlüssel.',
  'password.changed': 'Das Passwort ist geändert.',

  'recovery.lead':
    'Der einzige Weg zurück nach einem verlorenen Passwort. Ein neuer macht den vorigen ungültig.',
  'recovery.make': 'Neuen Wiederherstellungscode erzeugen',

  'sessions.title': 'Wo Sie angemeldet sind',
  'sessions.lead': 'Beenden Sie, was Sie nicht kennen, und ändern Sie dann das Passwort.',
  'sessions.seen': 'zuletzt benutzt',
  'sessions.current': 'Dieser Browser',
  'sessions.end': 'Beenden',
  'sessions.end.of': 'Sitzung in {browser} beenden',
  'sessions.endOthers': 'Alle anderen beenden',

  'deletion.title': 'Konto löschen',
  'deletion.lead': 'Sofort und endgültig. Es gibt keinen Weg zurück.',
  'deletion.connections':
    'Alle Ihre Verbindungen enden, und die Dienste erfahren es. Was Sie geteilt haben, können sie nicht mehr lesen.',
  'deletion.values': 'Ihre Werte, Schlüssel und Passkeys werden gelöscht.',
  'deletion.signedOut':
    'Sie werden überall abgemeldet, und Dienste können Sie nicht mehr um Zustimmung bitten.',
  'deletion.forGood':
    'Mit Ihrer Adresse können Sie sich wieder registrieren. Das ist ein neues Konto mit einem neuen Freigabecode.',
  'deletion.type': 'Geben Sie {email} ein, um fortzufahren',
  'deletion.confirm': 'Endgültig löschen',

  'unlock.text': 'Ihr Passwort öffnet Ihre Werte in diesem Browser.',
  'unlock.submit': 'Meine Werte öffnen',

  'consent.broken': 'Diese Anfrage kann nicht weitergehen',
  'consent.broken.text': 'Nichts wurde geteilt. Gehen Sie zurück zur Website und beginnen Sie neu.',
  'consent.who': 'Wer fragt',
  'consent.company': 'von {company} ({code})',
  'consent.service': 'Dienst: {service}',
  'consent.since': 'bei Symbolon seit {date}',
  'consent.signIn': 'Melden Sie sich an, um zu {app} weiterzugehen',
  'consent.detached': '{company} ({code}) möchte Sie an einem anderen Bildschirm anmelden',
  'consent.detached.text':
    'Der Bildschirm ist bei {host}, so sagt es {company}; Symbolon kann das nicht prüfen. Haben Sie das selbst begonnen, gerade eben?',
  'consent.detached.stranger': 'Wer diesen Link gemacht hat, möchte Sie an einem anderen Bildschirm anmelden',
  'consent.detached.stranger.text':
    'Genannt wird {company}; wo der Bildschirm ist, kann Symbolon nicht prüfen. Haben Sie das selbst begonnen, gerade eben, an einem Bildschirm, den Sie sehen?',
  'consent.detached.stranger.reminder':
    'Sie melden sich am Bildschirm dessen an, der diesen Link gemacht hat.',
  'consent.digits': 'Tippen Sie die zwei Ziffern ein, die der andere Bildschirm zeigt',
  'error.oauth.digits_wrong':
    'Das sind nicht die Ziffern. Nach drei falschen Versuchen wird die Anmeldung abgelehnt.',
  'error.oauth.digits_required': 'Tippen Sie die zwei Ziffern ein, die der andere Bildschirm zeigt.',
  'error.oauth.detached_off':
    'Diese App meldet niemanden an anderen Bildschirmen an. Melden Sie sich in der App selbst an.',
  'consent.detached.yes': 'Ja, das war ich',
  'consent.detached.no': 'Nein',
  'consent.detached.reminder':
    'Sie melden sich an einem anderen Bildschirm an: bei {host}, so sagt es {company}.',
  'consent.title.signin': 'Bei {app} anmelden',
  'consent.title.oidc': 'Bei {app} anmelden',
  'consent.title.one_time': '{app} bittet um Ihre Daten',
  'consent.title.connect': 'Mit {app} verbinden',
  'consent.title.2fa_enroll': '{app} darf Sie um Freigaben bitten',
  'consent.approve.signin': 'Bei {app} anmelden',
  'consent.approve.oidc': 'Bei {app} anmelden',
  'consent.approve.one_time': 'Ohne Antworten weiter zu {app}',
  'consent.approve.connect': 'Mit {app} verbinden',
  'consent.approve.2fa_enroll': 'Bei {app} einschreiben',
  'consent.share.one': '1 Antwort mit {app} teilen',
  'consent.share.other': '{count} Antworten mit {app} teilen',
  'consent.decline': 'Ablehnen',
  'consent.missing': 'Wählen Sie eine Antwort auf alles, was nicht freiwillig ist.',
  'consent.guess': 'Als wahrscheinliche Antwort gewählt. Wählen Sie eine andere, wenn das nicht gemeint ist.',
  'consent.change': '{label} ändern',
  'consent.change.short': 'Ändern',
  'consent.optional': 'freiwillig',
  'consent.verified': 'nur geprüfte Antworten',
  'consent.readable': 'für diese Website lesbar',
  'consent.noVerified':
    'Sie haben darauf keine geprüfte Antwort. Lassen Sie zuerst ein Feld prüfen und kommen Sie dann zurück.',
  'consent.add': 'Andere Antwort hinzufügen',
  'consent.other': 'Etwas anderes verwenden',
  'consent.more': 'Mehr hinzufügen',
  'consent.more.text': 'Auch gefragt, aber freiwillig: {names}.',
  'consent.value': '{label}: Ihre Antwort',
  'consent.keep': 'Diese Antwort behalten',
  'consent.live': 'Aktuell halten',
  'consent.live.on': 'Auch spätere Änderungen dieser Antwort werden gesendet, bis Sie das beenden.',
  'consent.live.off': 'Einmal gesendet, wie sie jetzt ist.',
  'consent.follows': 'Was daraus folgt',
  'consent.follows.shareCode': '{app} bekommt Ihren Freigabecode und erkennt Sie daran wieder.',
  'consent.follows.once': '{app} bekommt diese Antworten einmal, wie sie jetzt sind.',
  'consent.follows.connect': 'Sie bleiben mit {company} verbunden, bis Sie sich trennen.',
  'consent.follows.2fa_enroll':
    '{company} darf Sie bitten, Anmeldungen freizugeben. Sie beenden das jederzeit unter Dienste.',
  'consent.follows.enrolled': 'Sie sind bei {company} schon eingeschrieben. Es ändert sich nichts.',
  'consent.follows.sealed':
    'Antworten werden in diesem Browser versiegelt. {app} öffnet sie, Symbolon kann es nicht.',
  'consent.follows.readable':
    'Was als lesbar bezeichnet ist, wird unversiegelt übergeben: Die Website liest es, und wer ihr Anmelde-Token weiterträgt, womöglich auch.',
  'consent.shared': 'Gehen Sie zurück zum anderen Bildschirm',
  'consent.shared.text': 'Dort geht es von selbst weiter. Sie können diese Seite schließen.',
  'consent.declined': 'Nichts wurde geteilt',
  'consent.declined.text': 'Sie können diese Seite schließen.',

  'keys.changed': '{name} hat einen anderen Schlüssel als zuvor',
  'keys.changed.text':
    'Nichts wurde gesendet. Ein neuer Schlüssel kann richtig sein, oder jemand will mitlesen. Fragen Sie {company} auf einem anderen Weg, etwa am Telefon, nach den vier Wörtern des Schlüssels, und tippen Sie sie hier ein.',
  'keys.words': 'Die vier Wörter',
  'keys.words.hint': 'Wie {company} sie Ihnen vorliest',
  'keys.confirm': 'Die Wörter stimmen: mit diesem Schlüssel teilen',

  'fields.phone.country': 'Beginnen Sie mit + und der Landesvorwahl, oder wählen Sie das Land.',
  'fields.phone.kept': 'Wird als {number} behalten',
  'fields.phone.of': 'Land der Nummer',
  'claim.name': 'Name',
  'claim.email': 'E-Mail-Adresse',
  'type.text': 'Text',
  'type.email': 'E-Mail-Adresse',
  'type.phone': 'Telefonnummer',
  'type.url': 'Website',
  'type.gender': 'Geschlecht',
  'type.country': 'Land',
  'type.nationality': 'Staatsangehörigkeit',
  'type.personal_number': 'Personenkennzahl',
  'type.place_of_birth': 'Geburtsort',
  'type.date': 'Datum',
  'type.date_of_birth': 'Geburtsdatum',
  'type.number': 'Zahl',
  'fields.example': 'Schreiben Sie es zum Beispiel so: {example}',
  'example.integer': '12',
  'example.number': '12,5',
  'example.phone': '+49 30 901820',
  'example.bank': 'DE89 3704 0044 0532 0130 00',
  'example.creditcard': '4242 4242 4242 4242, gültig bis 09/31',
  'example.email': 'name@example.org',
  'example.url': 'https://example.org',
  'type.integer': 'Ganze Zahl',
  'type.decimal': 'Dezimalzahl',
  'type.float': 'Gleitkommazahl',
  'type.select': 'Auswahl',
  'type.multiselect': 'Mehrfachauswahl',
  'type.address': 'Adresse',
  'type.creditcard': 'Kreditkarte',
  'type.bank': 'Bankkonto',
  'member.street': 'Straße',
  'member.building_number': 'Hausnummer',
  'member.affix': 'Zusatz',
  'member.city': 'Ort',
  'member.postal_code': 'Postleitzahl',
  'member.state': 'Bundesland',
  'member.country': 'Land',
  'member.number': 'Nummer',
  'member.expiry': 'Gültig bis (MM/JJ)',
  'member.cvc': 'Prüfziffer der Karte',
  'member.name': 'Name',
  'member.swift': 'BIC',
  'member.routing_number': 'Routing-Nummer',
  'member.account_number': 'Kontonummer oder IBAN',
  'member.account_holder': 'Kontoinhaber',
  'member.bank_name': 'Bank',

  'problem.copyRequest': 'Nummer der Anfrage kopieren',
  'problem.unknown':
    'Etwas hat hier nicht geklappt. Versuchen Sie es noch einmal, oder sagen Sie dem Betreiber, was hier steht.',
  'verify.title': 'Besiegeltes Dokument prüfen',
  'verify.lead':
    'Wählen Sie ein PDF, das hier besiegelt wurde. Es wird in diesem Browser gelesen und nirgendwohin gesendet.',
  'verify.choose': 'PDF wählen',
  'verify.another': 'Anderes PDF wählen',
  'verify.drop': 'Oder legen Sie es hier ab.',
  'verify.tooLarge': '{name} ist größer als {most} MiB.',
  'verify.sealed': 'Besiegelt und seither unverändert',
  'verify.sealed.text': '{name} ist das, was unterschrieben wurde, besiegelt von dieser Plattform.',
  'verify.untrusted': 'Von jemand anderem besiegelt',
  'verify.untrusted.text':
    '{name} ist seit der Signatur unverändert, aber nicht mit einem Zertifikat dieser Plattform besiegelt. Verlassen Sie sich nicht auf den Inhalt.',
  'verify.extended': 'Es wurde etwas angefügt',
  'verify.extended.text':
    '{name} wurde besiegelt, und danach wurde etwas angefügt. Bitten Sie um die besiegelte Datei.',
  'verify.changed': 'Seit dem Siegel verändert',
  'verify.changed.text':
    '{name} ist nicht das, was unterschrieben wurde. Bitten Sie um die besiegelte Datei.',
  'verify.not_signed': 'Nicht besiegelt',
  'verify.not_signed.text': '{name} hat kein Siegel. Es ist vielleicht das Dokument vor der Unterschrift.',
  'verify.sentBy': 'Gesendet von',
  'verify.signed': 'Unterschrieben von',
  'verify.accepted': 'Angenommen von',
  'verify.for': 'für {company}',
  'verify.nameVerified': 'Der Name ist der einer geprüften Identität.',
  'verify.method.biometric': 'Auf dem eigenen Gerät bestätigt',
  'verify.method.twofa': 'Mit einem zweiten Faktor bestätigt',
  'verify.method.email': 'Mit einem Code per E-Mail bestätigt',
  'verify.digest': 'SHA-256 des Dokuments',
  'verify.seal': 'Das Siegel',
  'verify.certificate': 'Zertifikat',
  'verify.issuer': 'Ausgestellt von',
  'verify.sealedAt': 'Besiegelt am',
  'verify.timestamp': 'Zeitstempel von {authority}',
  'verify.claimed': 'Nach Angabe der Plattform; es gibt keinen Zeitstempel',
  'verify.fingerprint': 'SHA-256 des Zertifikats',

  'error.sdk.transport':
    'Symbolon ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
  'error.sdk.timeout': 'Symbolon hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut.',
  'error.page.store_refused':
    'Dieser Browser speichert keine Daten dieser Website und kann Ihren Schlüssel deshalb nicht aufbewahren. Erlauben Sie in seinen Einstellungen Website-Daten für diese Website, und versuchen Sie es noch einmal.',
  'error.page.worker': 'Ein Teil dieser Seite konnte nicht geladen werden. Laden Sie die Seite neu.',
  'error.page.password_session':
    'Melden Sie sich zuerst mit dem Passwort an: Nur es öffnet, was dafür nötig ist.',
  'error.account.passkey_limit': 'Mehr Passkeys kann es nicht geben. Entfernen Sie zuerst einen.',
  'error.account.mailed_code_unavailable':
    'Sie haben inzwischen einen Passkey oder eine Authenticator-App. Laden Sie die Seite neu und nehmen Sie das.',
  'error.account.passkeys_unavailable': 'Unter dieser Adresse funktionieren Passkeys nicht.',
  'error.auth.credentials_invalid': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  'error.auth.throttled': 'Das waren zu viele Versuche. Warten Sie 15 Minuten.',
  'error.rate_limit.exceeded': 'Das waren zu viele Aufrufe. Warten Sie eine Minute.',
  'error.auth.second_factor_invalid':
    'Der Code ist falsch oder schon verwendet. Warten Sie auf den nächsten.',
  'error.auth.two_factor_required': 'Es braucht auch einen Code Ihres zweiten Faktors.',
  'error.auth.passkey_invalid': 'Der Passkey passte nicht zu dieser Anfrage. Versuchen Sie es erneut.',
  'error.auth.ticket_invalid': 'Die Anmeldung hat zu lange gedauert. Beginnen Sie neu mit dem Passwort.',
  'error.auth.anti_forgery': 'Die Sitzung dieser Seite ist vorbei. Laden Sie die Seite neu.',
  'error.auth.invalid': 'Sie sind abgemeldet. Melden Sie sich neu an.',
  'error.auth.expired': 'Sie sind abgemeldet. Melden Sie sich neu an.',
  'error.region.unavailable': 'Ein Teil von Symbolon antwortet gerade nicht. Versuchen Sie es bald erneut.',
  'error.db.writes_paused': 'Symbolon speichert gerade nichts. Versuchen Sie es bald erneut.',
  'error.twofa.not_found': 'Diese Frage gibt es nicht mehr.',
  'error.twofa.not_pending': 'Das wurde schon beantwortet, oder die Zeit ist um.',
  'error.twofa.number_matching_required':
    'Der Dienst verlangt inzwischen Ziffern. Lehnen Sie ab und beginnen Sie die Anmeldung neu.',
  'error.twofa.digits_wrong':
    'Das sind nicht die Ziffern. Nach drei falschen Versuchen wird die Anmeldung abgelehnt.',
  'error.twofa.enrollment_not_found': 'Diese Einschreibung gibt es nicht mehr.',
  'error.oauth.client_unknown':
    'Der Link nennt keine Website, die Symbolon kennt. Beginnen Sie neu bei der Website.',
  'error.oauth.redirect_uri_invalid':
    'Die Website nannte eine Rückkehradresse, die nicht ihre ist. Sagen Sie es der Website.',
  'error.oauth.connect_no_service':
    'Diese Website hat keinen Dienst zum Verbinden oder Einschreiben. Sagen Sie es der Website.',
  'error.oauth.state_taken':
    'Dieser Link wurde schon mit anderem Inhalt geöffnet. Beginnen Sie neu am Bildschirm, der ihn zeigte.',
  'error.oauth.request_not_found': 'Diese Anfrage gibt es nicht. Beginnen Sie neu bei der Website.',
  'error.oauth.request_expired': 'Diese Anfrage ist zu alt. Beginnen Sie neu bei der Website.',
  'error.oauth.request_decided': 'Diese Anfrage wurde schon beantwortet. Beginnen Sie neu bei der Website.',
  'error.oauth.request_owned':
    'Jemand anders hat begonnen, das zu beantworten. Beginnen Sie neu am anderen Bildschirm.',
  'error.contact_data.field_changed':
    'Eine dieser Antworten wurde inzwischen geändert. Laden Sie die Seite neu.',
  'error.contact_data.limit_reached': 'Mehr Felder kann es nicht geben. Löschen Sie zuerst eines.',
  'error.account.email_taken': 'Ein Konto mit dieser Adresse gibt es schon. Melden Sie sich stattdessen an.',
  'error.account.session_not_found': 'Diese Sitzung ist schon beendet.',
  'error.account.passkey_not_found': 'Dieser Passkey wurde schon entfernt.',
  'error.contact_data.value_too_large': 'Das ist zu lang, um behalten zu werden. Kürzen Sie es.',
  'error.contact_data.answers_too_large':
    'Die Antworten sind zusammen zu groß. Teilen Sie weniger oder kleinere Dateien.',
  'error.documents.run_managed':
    'Dieses Dokument gehört zu einem Ablauf, der nicht beendet ist. Lehnen Sie stattdessen den Ablauf ab.',
  'error.flows.run_ended': 'Das wurde inzwischen abgeschlossen. Laden Sie die Seite neu.',
  'error.account.storage_full': 'Ihr Konto hat keinen Platz mehr. Löschen Sie zuerst etwas.',
  'error.sdk.value_invalid': 'Dieser Wert passt nicht. Prüfen Sie die Schreibweise.',
  'error.sdk.key_unknown': 'Das sind nicht die Wörter des Schlüssels. Nichts wurde bestätigt.',
  'error.sdk.owner_changed':
    'Es wurde nichts gesendet: Dies gehört jemand anderem als zuvor, oder andere nehmen jetzt daran teil. Fragen Sie beim Unternehmen nach, bevor Sie etwas teilen.',
  'error.sdk.pins_outdated':
    'Symbolon gab eine ältere Liste Ihrer bestätigten Schlüssel, als dieser Browser schon sah. Nichts wurde gesendet. Sagen Sie es dem Betreiber.',
  'error.sdk.pins_tampered':
    'Die Liste Ihrer bestätigten Schlüssel wurde verändert. Nichts wurde gesendet. Sagen Sie es dem Betreiber.',
  'error.sdk.key_mismatch':
    'Der Schlüssel des Dienstes hat nicht den Fingerabdruck, der gezeigt wird. Nichts wurde gesendet.',
  'error.crypto.passphrase_wrong': 'Damit lässt sich Ihr Schlüssel nicht öffnen. Nichts wurde geändert.',
  'error.webauthn.cancelled': 'Das Gerät hat nicht bestätigt. Versuchen Sie es erneut oder auf anderem Weg.',
  'error.account.email_invalid': 'Das ist keine E-Mail-Adresse.',
  'error.account.code_invalid': 'Der Code ist falsch oder gilt nicht mehr.',
  'error.account.recovery_invalid': 'Die E-Mail-Adresse oder der Wiederherstellungscode ist falsch.',
  'error.profile.display_name_invalid':
    'Dieser Name lässt sich nicht verwenden. Lassen Sie unsichtbare Zeichen weg.',
  'error.sdk.password_weak.too_short': 'Ein Passwort hat mindestens 10 Zeichen.',
  'error.sdk.password_weak.too_long': 'Ein Passwort hat höchstens 200 Zeichen.',
  'error.sdk.password_weak.easy_to_guess':
    'Dieses Passwort ist leicht zu erraten. Wählen Sie ein längeres oder weniger übliches.',
  'error.crypto.key_invalid': 'Der Wiederherstellungscode ist vertippt. Er hat 52 Buchstaben und Ziffern.',
  'error.sdk.login_version_lowered':
    'Symbolon wollte Ihr Passwort schwächer schützen als zuvor. Nichts wurde gesendet. Sagen Sie es dem Betreiber.',
};
