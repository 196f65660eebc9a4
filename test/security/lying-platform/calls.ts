const calls = (client: string, names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `${client}.${name}`);

/** Calls that seal nothing to a key of an answer, and those of another row's code. A call that is in neither table fails the test. */
export const CALLS_THAT_SEND_NOTHING: ReadonlySet<string> = new Set([
  // Protected: what follows a connection, and what rows call.
  ...calls('person', 'connected decisions sendAnswers get'),
  ...calls('customer', 'connected decisions sendAnswers get'),
  // The user chooses the owner here, by the code of `connect`: a request was accepted.
  ...calls('person', 'connectRequests.accept'),
  // The caller gives the key, or the app with its key.
  ...calls('person', 'keys.sealToApp files.upload files.uploadOf'),
  ...calls('customer', 'uploadFile'),
  // By `customerKeys`, as those of a person.
  ...calls('customer', 'flows.answer flows.processRun'),
  // What the user sends to the platform itself, which reads it: SECURITY.md has a table of that.
  ...calls(
    'person',
    'startVerification confirmVerification files.verify documents.sign documents.accept flows.generate',
  ),
  ...calls('customer', 'flows.generate'),
  ...calls('data', 'flows.generate messages.broadcast'),
  // Sealed to a key that this device holds.
  ...calls('person', 'createField'),
  // Requests to plugins: the key is in a pass of the platform, which is trusted with it.
  ...calls('person', 'pluginFields flows.plugins'),
  ...calls('customer', 'flows.plugins'),
  ...calls('data', 'flows.plugins'),
  ...calls(
    'person',
    `approvals.approve approvals.challenge approvals.deny approvals.enrollments approvals.mute approvals.pending
     approvals.revoke close connectRequests.block connectRequests.blocked connectRequests.pending connectRequests.reject
     connectRequests.unblock connection connections consent.begin consent.open consent.refuse consent.revoke
     consent.signIns consents declineConsent deleteField devices.add devices.eventTicket devices.list devices.remove
     disconnect documents.cancel documents.delete documents.get documents.list documents.open dropVerification events
     field fieldTypes fields files.delete files.open files.verification flows.answers flows.confirmParties flows.decline
     flows.list flows.open flows.run keys.confirm keys.confirmApp keys.unconfirmed keys.withheldSlots lookup me
     messages.list messages.markRead messages.threads presence.loginSecret presence.mailCode presence.members
     presence.options presence.prove security.addPasskey security.beginTotp security.changePassword
     security.confirmEmailChange security.confirmRecoveryCode security.confirmTotp security.deleteAccount
     security.endSession security.endSessions security.endTotp security.mailCode security.newTotpRecoveryCodes
     security.openKeyWith security.passkeys security.removePasskey security.renamePasskey security.renewRecoveryCode
     security.sessions security.startEmailChange security.totp updateField`,
  ),
  ...calls(
    'customer',
    `cancelDocument changes confirmKey connection connections consents declineConsent disconnect disconnectService
     documentFile flows.answers flows.confirmParties flows.decline flows.list flows.open flows.run laneOf lookup
     openChange openValue publicKey`,
  ),
  ...calls(
    'data',
    `changes close confirmKey connectRequests.send connection connections deleteConnection documents.close
     documents.delete documents.file documents.get documents.list documents.sealedFile documents.update fieldTypes
     flows.answers flows.cancel flows.confirmParties flows.documentFile flows.documents flows.list flows.open
     flows.published flows.run flows.runs flows.withdrawDocuments logs messages.list messages.markRead openChange
     publicKey requestFields twoFactor.challenge twoFactor.result twoFactor.waitForResult warm whoami`,
  ),
]);

/** Where something is sealed, and what holds the key to whom the user chose. */
export const SEALING_FILES: Readonly<Record<string, string>> = {
  'apps/web/src/platform/answers.ts': 'sealAnswers and requireKeys compare first',
  'apps/web/src/platform/drafts.ts': "the person's own key",
  'apps/web/src/platform/fields.ts': "the person's own key",
  'apps/web/src/platform/inner/device.worker.ts': 'keys of the login',
  'apps/web/src/platform/portal/inner/copies.worker.ts': 'keyOfCustomer compares',
  'apps/web/src/platform/portal/messages.ts': 'keyOfCustomer compares',
  'apps/web/src/platform/recovery.ts': 'keys of the login',
  'packages/sdk/src/account/company-client.ts': 'the recovery key, whose fingerprint is known',
  'packages/sdk/src/account/recovery-key.ts': 'the key of a login, which is tried first',
  'packages/sdk/src/customer-side/decisions.ts': 'requireFor compares first',
  'packages/sdk/src/data/flow-start.ts': 'rows data.flows.start',
  'packages/sdk/src/data/messages.ts': 'rows data.messages.send',
  'packages/sdk/src/data/people-keys.ts': 'rows data.sealFor, data.documents',
  'packages/sdk/src/flows/flow-runs.ts': 'rows flows.answer',
  'packages/sdk/src/flows/run-documents.ts': 'a key of the moment, for the platform',
  'packages/sdk/src/person/edit-field.ts': 'row person.editField',
  'packages/sdk/src/person/files.ts': 'row person.files.save',
  'packages/sdk/src/person/messages.ts': 'row person.messages.send',
  'packages/sdk/src/person/person-client.ts': "the person's own key",
  'packages/sdk/src/person/person-keys.ts': 'the caller names the app; row person.consent.approve',
  'packages/sdk/src/plugin-fields/plugin-fields.ts': 'the key in a pass of the platform',
  'packages/sdk/src/plugin/plugin.ts': 'the key in the request that is answered',
};
