const calls = (client: string, names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `${client}.${name}`);

/** What the portal client and the account client do alike. The platform reads all that is sent: SECURITY.md has a table of that. */
const COMPANY = `
  account delegates.get delegates.invite delegates.list delegates.remove delegates.resend delegates.setRole deleteDataClient
  dataClient deleteService deleteWebhook deleteOAuthApp changeFeed createOAuthApp createWebhook endPreviousWebhookSecret
  flows.check flows.create flows.delete flows.export flows.get flows.import flows.list flows.publish flows.putAsset
  flows.update flows.version flows.versions formerServiceKeys oauthApp oauthApps privateKey privateKeyPem probeWebhook
  profile.createField profile.createValue profile.deleteField profile.deletePhoto profile.deleteValue profile.fields
  profile.hidePhoto profile.labelPhoto profile.photo profile.photoFile profile.photos profile.read profile.rename
  profile.setProfilePhoto profile.showPhoto profile.showPhotos profile.shownPhotos profile.updateField profile.updateValue
  profile.uploadPhoto profile.value profile.values publishRequestFields publishShareFields recentEvents recoveryKey
  regenerateDataClientSecret regenerateOAuthAppSecret regenerateWebhookSecret registerDataClient renameService requestFields
  service serviceJobs services setAdminEmail setAudience setNumberMatching setRequireTwoFactor setShareCode shareFields
  testWebhook updateOAuthApp updateWebhook webhook webhookAttempts webhookPreview webhooks
  confirmedRecoveryKey get proofHeaders put`;

/** Calls that seal nothing to a key of an answer, and those of another row's code. A call that is in neither table fails the test. */
export const CALLS_THAT_SEND_NOTHING: ReadonlySet<string> = new Set([
  // Protected: what follows a connection, and what rows call.
  ...calls('person', 'connected decisions sendAnswers get'),
  ...calls('customer', 'connected decisions sendAnswers get'),
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
  // Ways to make a client. Key pairs are made on the device, and wrapped under keys of the password and of the recovery code.
  ...calls('person', 'register login loginWithPasskey recover'),
  ...calls('portal', 'register signIn invitation acceptInvitation recover reset resume'),
  ...calls('data', 'fromEnvironment fromFile'),
  ...calls('customer', 'fromEnvironment'),
  ...calls('account', 'fromEnvironment'),
  ...calls('anyCall', 'ofClient ofToken'),
  ...calls('portal', 'security.changePassword security.renewRecoveryCode'),
  // The caller gives the whole call.
  ...calls('anyCall', 'json send'),
  // A site sends its own secrets, and opens what people sealed to it.
  ...calls('site', 'begin beginDetached complete completeEnrolment exchange poll waitForResult'),
  ...calls('portal', COMPANY),
  ...calls('account', COMPANY),
  // The platform holds the account key of a company.
  ...calls('portal', 'accountKey openAccountKey'),
  // PDFs of contracts, in the act that completes them.
  ...calls('portal', 'customerDocuments.accept customerDocuments.sign runDocuments.accept runDocuments.sign'),
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
    'portal',
    `accountClients accountPublicKey clientUses confirmRecoveryKey createAccountClient
     customerDocuments.cancel customerDocuments.list customerDocuments.mailCode customerDocuments.open
     deleteAccountClient grantCapabilities keyFingerprint migrateRegion recovery.holders recovery.secrets
     recoveryKeyFingerprint regenerateAccountClientSecret regionMigration runDocuments.mailCode
     runDocuments.signAct security.auditLog security.confirmDeletion security.confirmEmailChange
     security.confirmTwoFactor security.deletion security.endOtherSessions security.endSession
     security.enrolTwoFactor security.mailCode security.newRecoveryCodes security.profileKeys
     security.requestDeletion security.revokeTrustedDevice security.revokeTrustedDevices security.session
     security.sessions security.setSignInPolicy security.signInPolicy security.startEmailChange
     security.switchTwoFactorOff security.trustedDevices security.twoFactor security.withdrawDeletion signOut`,
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

/** Exported classes that no client has, and why they seal nothing to a key that the platform named. */
export const CLASSES_THAT_CALL_NOTHING: Readonly<Record<string, string>> = {
  BinaryHandle: 'opens a file',
  ChangePump: 'drains a feed',
  ConfirmedKeys: 'compares keys',
  FileKeyStore: 'keeps what is known',
  FlowFileHandle: 'opens a file',
  MemoryKeyStore: 'keeps what is known',
  MemorySeenDeliveries: 'keeps which deliveries came',
  PeopleKeys: 'compares keys',
  Pins: 'sealed under a key of the login',
  PlainDate: 'a value',
  Plugin: 'answers requests to the key in them',
  PluginFields: 'the key in a pass of the platform',
  SandboxCustomer: 'a person for tests, by rows of its client',
  SealedValue: 'a value',
  Transport: 'the caller gives the whole call',
  WebhookReceiver: 'opens deliveries',
};

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

const SANDBOX = 'a person and a company that the command made, on a platform of a developer';
const KNOWN = 'the known keys in the configuration folder';

/** Where the command has something sealed, by the call, and what holds the key to whom the user chose. */
export const SEALING_COMMANDS: Readonly<Record<string, string>> = {
  'company-file/plan-service.ts createService': 'the recovery key, whose fingerprint is known',
  'data/documents.ts documents.create': `${KNOWN}; a connection that they know is no person`,
  'data/exchange-messages.ts messages.send': KNOWN,
  'demo/play.ts editField': SANDBOX,
  'demo/play.ts flows.start': SANDBOX,
  'demo/scenes/company.ts createService': 'the recovery key, whose fingerprint is known',
  'demo/scenes/contract.ts documents.create': SANDBOX,
  'demo/scenes/editing.ts editField': SANDBOX,
  'demo/scenes/flow.ts flows.start': SANDBOX,
  'demo/scenes/month.ts connect': SANDBOX,
  'demo/scenes/month.ts editField': SANDBOX,
  'demo/scenes/month.ts messages.send': SANDBOX,
  'demo/scenes/sharing.ts connect': SANDBOX,
  'doctor/client-checks.ts publicKeys': 'seals nothing to what it reads',
  'flows/runs.ts flows.start': KNOWN,
  'resources/special/service-key.ts createService': 'the recovery key, whose fingerprint is known',
  'resources/special/service-key.ts replaceServiceKey': 'the recovery key, whose fingerprint is known',
  'trigger/acts.ts connect': SANDBOX,
  'trigger/acts.ts connectRequests.accept': SANDBOX,
  'trigger/acts.ts messages.send': SANDBOX,
  'trigger/acts.ts provideConsent': SANDBOX,
  'trigger/acts.ts remap': SANDBOX,
  'trigger/challenge.ts consent.approve': SANDBOX,
  'trigger/connected.ts connect': SANDBOX,
  'trigger/documents.ts documents.create': SANDBOX,
  'trigger/flow-runs.ts flows.processRun': SANDBOX,
  'trigger/flow-runs.ts flows.start': SANDBOX,
};
