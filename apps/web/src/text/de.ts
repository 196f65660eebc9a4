// biome-ignore-all lint/style/noExcessiveLinesPerFile: one catalogue
import { deAnswers } from './de-answers.ts';
import { deErrors } from './de-errors.ts';
import type { Catalogue } from './index.tsx';

export const de: Catalogue = {
  ...deErrors,
  ...deAnswers,
  'app.language': 'Sprache',
  'app.appearance': 'Darstellung',
  'app.appearance.auto': 'Wie das Gerät',
  'app.appearance.light': 'Hell',
  'app.appearance.dark': 'Dunkel',
  'app.loading': 'Wird geladen',
  'app.back': 'Zurück',
  'app.cancel': 'Abbrechen',
  'app.signOut': 'Abmelden',
  'app.close': 'Schließen',
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
  'app.skip': 'Zum Inhalt',
  'app.notFound': 'Diese Seite gibt es nicht',
  'app.notFound.text': 'Vielleicht ist die Adresse vertippt. Zu Ihren Seiten ist es ein Schritt.',
  'app.broken': 'Diese Seite lässt sich nicht anzeigen',
  'app.reload': 'Neu laden',
  'app.insecure': 'Hier kann diese Seite nicht arbeiten',
  'app.insecure.text':
    'Browser geben Schlüssel nur Seiten mit https-Adresse und solchen auf localhost. Öffnen Sie diese Seite dort.',
  'app.offline': 'Sie sind offline',
  'app.offline.text':
    'Ohne Netz lässt sich hier nichts von Ihrem Konto zeigen. Diese Seite geht von selbst weiter, sobald es wieder da ist.',
  'app.print': 'Drucken',

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
  'signIn.goOn': 'Weiter als {name}',
  'signIn.other':
    'In einem anderen Tab dieses Browsers hat sich {name} angemeldet. Was diese Seite gezeigt hat, gehörte jemand anderem.',
  'signIn.why.signedOut': 'Sie sind abgemeldet. Dieser Browser behält nichts von Ihnen.',
  'signIn.why.ended':
    'Ihre Sitzung ist zu Ende. Melden Sie sich wieder an, um dort weiterzumachen, wo Sie waren.',
  'signIn.why.unheard':
    'Dieser Browser behält nichts von Ihnen. Symbolon hat nicht geantwortet, darum endet Ihre Sitzung, sobald er es wieder erreicht.',

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
  'register.code.password':
    'Diese Seite wurde neu geladen, und Passwörter bleiben nie im Browser: Wählen Sie Ihr Passwort noch einmal.',
  'register.code.startOver': 'Anderer Name oder andere Adresse',
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
  'recovery.needs': 'Um zurückzukommen, brauchen Sie',
  'recovery.needs.code': 'diesen Code, auf Papier oder in einem Passwortmanager',
  'recovery.needs.address': 'die E-Mail-Adresse des Kontos',
  'recovery.needs.factor': 'einen Code Ihrer Authenticator-App, falls Sie sie später einschalten',
  'recovery.show': 'Den Code noch einmal zeigen',
  'recovery.back': 'Tippen Sie den Wiederherstellungscode',
  'recovery.back.text':
    'Von Ihrem Papier oder aus Ihrer Datei, damit Sie wissen, dass er stimmt. Leerzeichen und Großschreibung spielen keine Rolle.',
  'recovery.back.submit': 'Prüfen und weiter',
  'recovery.type': 'Ihr Wiederherstellungscode',
  'recovery.type.hint':
    '52 Buchstaben und Ziffern; Leerzeichen, Striche und Großschreibung spielen keine Rolle',
  'recovery.wrongGroup': 'Sehen Sie die {group}. Vierergruppe noch einmal an: Sie ist nicht wie im Code.',
  'recovery.paper':
    'Er setzt bei {host} unter „Passwort verloren?“ zusammen mit der Adresse ein neues Passwort.',

  'recover.title': 'Neues Passwort setzen',
  'recover.text': 'Ihr Wiederherstellungscode öffnet Ihre Schlüssel. Danach bekommen Sie einen neuen.',
  'recover.code': 'Wiederherstellungscode',
  'recover.code.hint': '52 Buchstaben und Ziffern, in Vierergruppen',
  'recover.password': 'Neues Passwort',
  'recover.submit': 'Neues Passwort setzen',
  'recover.working': 'Ihre Schlüssel werden geöffnet',

  'me.title': 'Angemeldet als {name}',
  'me.notYou': 'Nicht Sie?',

  'proof.passkey': 'Nach dem Knopf fragt Ihr Gerät nach Fingerabdruck, Gesicht oder PIN.',
  'proof.usePassword': 'Stattdessen das Passwort verwenden',
  'proof.password': 'Ihr Passwort, als Bestätigung, dass Sie es sind',
  'proof.totp': 'Code Ihrer Authenticator-App',
  'proof.totp.hint': 'Sechs Ziffern oder einer Ihrer Wiederherstellungscodes',
  'proof.totp.only': 'Sechs Ziffern. Wiederherstellungscodes gelten hier nicht.',
  'proof.mail': 'Code per Mail senden',
  'proof.mailed': 'Der Code ist unterwegs',
  'proof.mailedCode': 'Code aus der Mail',

  'approvals.digit': 'Ziffer {number}',

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
  'error.sdk.link_invalid':
    'Dieser Link ist beschädigt: Der Fingerabdruck des Schlüssels darin ist nicht vollständig. Bitten Sie die Firma noch einmal um ihren Link.',
  'error.sdk.link_key_differs':
    'Es wurde nichts gesendet: Der Link hat den Fingerabdruck eines anderen Schlüssels, nicht den des Schlüssels, den Symbolon nennt. Fragen Sie beim Unternehmen nach, bevor Sie etwas teilen.',
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
  'error.page.recovery_broken':
    'Der Code stimmt, aber was er öffnet, passt nicht zu Ihrem Konto. Machen Sie einen neuen Wiederherstellungscode, und sagen Sie es dem Betreiber.',
};
