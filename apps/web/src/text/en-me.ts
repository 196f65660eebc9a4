/** The account: what keeps it the person's own, what happened at it, and what is taken along. */
export const enMe = {
  'app.print': 'Print',
  'account.things': 'My things',
  'account.name': 'Name',
  'account.name.text': 'Companies that you are connected with see the new name the next time they look.',
  'account.name.save': 'Keep this name',
  'account.email': 'E-mail address',
  'account.email.text':
    'You sign in with it, and what concerns your account is mailed there. Your password and your recovery code stay as they are.',
  'account.email.new': 'New address',
  'account.email.proof':
    'Confirm that it is you. Then a code goes to {email}, and a notice to the present address.',
  'account.email.send': 'Mail the code',
  'account.email.done': 'From now on you sign in with {email}.',
  'account.passkeys.opens': '{name} opens',
  'account.passkeys.signs': '{name} only signs in',
  'account.activity.text': 'What companies asked and sent, and every sign-in',
  'account.export.text': 'A file that opens without us',

  'recovery.needs': 'To come back you will need',
  'recovery.needs.code': 'this code, on paper or in a password manager',
  'recovery.needs.address': 'the email address of the account',
  'recovery.needs.factor': 'a code of your authenticator app, if you switch it on later',
  'recovery.show': 'Show the code again',
  'recovery.back': 'Type the recovery code',
  'recovery.back.text':
    'From your paper or file, so that you know that it is right. Spaces and capitals do not matter.',
  'recovery.back.submit': 'Check it and go on',
  'recovery.type': 'Your recovery code',
  'recovery.type.hint': '52 letters and digits; spaces, dashes and capitals do not matter',
  'recovery.wrongGroup': 'Look at group {group} of four again: it is not as in the code.',
  'recovery.paper':
    'It sets a new password at {host}, under “Lost your password?”, together with the address.',
  'recovery.try': 'Try the recovery code',
  'recovery.try.text':
    'Find it and type it here. It is checked whether it still opens what you keep. The code stays good.',
  'recovery.check': 'Check the code',
  'recovery.works': 'It is right: with this code your values open.',
  'recovery.found': 'Last found',
  'recovery.never': 'You have not tried it yet',
  'recovery.due': 'due',
  'recovery.make.text': 'The one before is void then',

  'passkeys.opensKey.text': 'This passkey signs in, approves, and opens your values.',
  'passkeys.signsOnly.text':
    'This passkey signs in and approves. Its device cannot open your values: the password is asked for then.',
  'passkeys.last': 'It is your last passkey. Afterwards the password and the recovery code are your ways in.',
  'passkeys.last.unproven':
    'It is your last passkey, and you have not yet shown that you have the recovery code. Two ways in stay: type the code first, or make a new one.',

  'totp.manage': 'Codes and switching off',
  'totp.left': '{left} recovery codes left',

  'deletion.export': 'Take everything with me first',

  'home.first': 'First steps',
  'home.first.field': 'Add your first details',
  'home.first.field.text': 'Such as your phone number: you type it once.',
  'home.first.connect': 'Scan or type a code',
  'home.first.connect.text': 'It connects you with a company.',
  'home.first.push': 'Switch notifications on',
  'home.first.push.text': 'So that you hear when a company asks whether it is you.',
  'home.advice.recovery': 'Can you find your recovery code?',
  'home.advice.recovery.text': 'Without it, a lost password is lost with all that you keep.',

  'activity.title': 'Activity',
  'activity.lead': 'What companies asked and sent, and every sign-in to your account of the last 90 days.',
  'activity.show': 'What is shown',
  'activity.show.all': 'All',
  'activity.show.account': 'Account',
  'activity.show.companies': 'Companies',
  'activity.none': 'Nothing happened yet',
  'activity.none.text': 'Sign-ins, and what companies ask and send, appear here.',
  'activity.registered': 'You made this account',
  'activity.signed_in': 'Signed in with the password',
  'activity.signed_in_by_passkey': 'Signed in with a passkey',
  'activity.recovered': 'New password by the recovery code',
  'activity.password_changed': 'Password changed',
  'activity.recovery_code_made': 'New recovery code made',
  'activity.recovery_code_confirmed': 'Recovery code found and tried',
  'activity.name_changed': 'Name changed',
  'activity.email_changed': 'E-mail address changed',
  'activity.site.approved': 'You answered {app}',
  'activity.site.refused': 'You refused {app}',
  'activity.site.not_me': 'You told {app} that it was not you',
  'activity.site.revoked': 'You answered {app}, and have ended what it reads',
  'activity.end': 'End',
  'activity.end.of': 'End what {app} reads',
  'activity.end.text':
    'Its codes and tokens stop working at once, those of other devices too. What it has read already, it may have kept. At your next sign-in it asks you again.',
  'activity.end.confirm': 'End it',

  'export.title': 'Take everything with me',
  'export.lead': 'All that Symbolon holds about you, in one zip file that opens without Symbolon.',
  'export.has.page': 'open.html, a page that opens everything in a browser, also without a network',
  'export.has.data':
    'data.json, your fields, connections, messages, documents, flows and sign-ins, for programs',
  'export.has.files': 'your files and those of your documents',
  'export.sealed':
    'It stays sealed: it opens with the password of today, also after you have changed or lost it here. Keep the two apart.',
  'export.password': 'Your password, which opens the file later',
  'export.make': 'Make the file',
  'export.working': 'Gathering what is yours',
  'export.done': '{name} is made. Unpack it and open the page in it.',
  'export.missing.one': '{count} thing could not be read and is not in it:',
  'export.missing.other': '{count} things could not be read and are not in it:',
  'export.readme':
    'This is all that Symbolon held about you. Unpack it, open open.html in a browser and type the password of the day on which it was made. The page needs no network and sends nothing.\n\ndata.json has the same for programs. Where a value is an object or a text with the members _enc, k, iv and d, it is sealed: k is an AES-256 key under RSA-OAEP (SHA-256) for your key, iv and d are AES-GCM. Your private key (PKCS#8) is in key.encrypted_private_key, AES-256-GCM under the last 32 of 64 bytes of PBKDF2-SHA-256 (600,000 rounds) of the password and key.salt.\n\nThe files folder has files as the platform stored them: sealed in the same way, around an envelope with the file in base64.\n',
  'export.opener.title': 'What is mine',
  'export.opener.password': 'Password of the day on which this was made',
  'export.opener.open': 'Open it',
  'export.opener.wrong': 'The password does not open this.',
  'export.opener.forOthers': 'sealed for the company',
  'export.opener.files': 'Files',
  'export.opener.choose': 'Choose the zip file that this page came in, to save files from it',
  'export.opener.save': 'Save',
  'export.opener.missing': 'Not in this file',

  'companies.services': 'Services of {company}',

  'fields.private': 'Private',
  'fields.private.text': 'In flows, other people who take part do not see it.',
  'fields.used': 'Your files take {size}.',
  'fields.share.again': 'The file that you shared did not arrive. Share it once more.',
  'fields.deleted': '{label} is deleted',
  'fields.changed': '{label} is changed',

  'companies.stopped': '{label} is no longer shared',
  'enrolments.muted': '{service} is muted',
  'enrolments.unmuted': '{service} may ask again',

  undo: 'Undo',
  'undo.label': 'What was just done',

  'error.page.recovery_broken':
    'The code is right, but what it opens does not fit your account. Make a new recovery code, and tell the operator.',
} as const;
