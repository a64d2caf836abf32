package main

// What meta/v1's constants mean, in our words: see comments.go.
const metaComments = `
: meta
WatchEventKind: Kind of the objects that a watch sends.
ObjectNameField: Field selector of an object's name: metadata.name=web.
FinalizerOrphanDependents: Finalizer: the owner goes when its dependents no longer name it; they stay.
FinalizerDeleteDependents: Finalizer: the owner goes when those of its dependents are gone that block its deletion.
NamespaceNone: The namespace of objects that are in none.
NamespaceSystem: Namespace of what Kubernetes itself runs.
NamespaceAll: In place of a namespace's name: all of them.
NamespaceDefault: Namespace of objects that name none.
NamespacePublic: Namespace that everybody may read, even without a credential.
InitialEventsAnnotationKey: Annotation of the bookmark that ends the first part of a watch with sendInitialEvents.
DryRunAll: Value of dryRun: everything is done, but for storing the object.
FieldValidationIgnore: Value of fieldValidation: unknown and duplicate fields are dropped in silence.
FieldValidationWarn: Value of fieldValidation: unknown and duplicate fields are dropped, with a warning. The default.
FieldValidationStrict: Value of fieldValidation: unknown and duplicate fields are errors.
StatusSuccess: Value of Status.status: it was done.
StatusFailure: Value of Status.status: it was not done.
: CauseType
CauseTypeFieldValueNotFound: The field names something that does not exist.
CauseTypeFieldValueRequired: The field is missing.
CauseTypeFieldValueDuplicate: The value is there already, and there may be only one.
CauseTypeFieldValueInvalid: The value is malformed, or not allowed here.
CauseTypeFieldValueNotSupported: The value is none of those that the server knows.
CauseTypeForbidden: The value is well-formed, but may not be set in this state.
CauseTypeTooLong: The value is too long.
CauseTypeTooMany: The list is too long.
CauseTypeInternal: The server failed to check the value.
CauseTypeTypeInvalid: The value has another type than the field.
CauseTypeUnexpectedServerResponse: The answer was none that the API gives; a proxy may have sent it.
CauseTypeFieldManagerConflict: Another manager of server-side apply owns the field.
CauseTypeResourceVersionTooLarge: The server has not yet seen the resource version that was asked for: try again.
: DeletionPropagation
DeletePropagationOrphan: Dependents stay, without an owner.
DeletePropagationBackground: The object goes at once, its dependents later.
DeletePropagationForeground: Dependents go first; until then the object has a finalizer.
: FieldSelectorOperator
FieldSelectorOpIn: The field has one of the values.
FieldSelectorOpNotIn: The field has none of the values.
FieldSelectorOpExists: The field is there.
FieldSelectorOpDoesNotExist: The field is missing.
: IncludeObjectPolicy
IncludeNone: A table's rows come without objects.
IncludeMetadata: A table's rows come with the metadata of their objects. The default.
IncludeObject: A table's rows come with their whole objects.
: LabelSelectorOperator
LabelSelectorOpIn: The label has one of the values.
LabelSelectorOpNotIn: The label has none of the values, or is missing.
LabelSelectorOpExists: The label is there, with any value.
LabelSelectorOpDoesNotExist: The label is missing.
: ManagedFieldsOperationType
ManagedFieldsOperationApply: The fields were set by server-side apply.
ManagedFieldsOperationUpdate: The fields were set by any other write.
: ResourceVersionMatch
ResourceVersionMatchNotOlderThan: A list as new as the resource version, or newer.
ResourceVersionMatchExact: The list as it was at the resource version; it may be gone, which is error 410.
: RowConditionType
RowCompleted: The object of the row has run to its end; tables may show it faded.
: StatusReason
StatusReasonUnknown: The server gave no reason.
StatusReasonUnauthorized: 401: the credential is missing or wrong.
StatusReasonForbidden: 403: the user is known, and may not do this.
StatusReasonNotFound: 404: the object or the resource does not exist.
StatusReasonAlreadyExists: 409: there is an object of this name already.
StatusReasonConflict: 409: the object has changed since it was read. Read it again, and then write.
StatusReasonGone: 410: what was there is gone for good.
StatusReasonInvalid: 422: the object breaks rules; the causes name its fields.
StatusReasonServerTimeout: 500: the server could not do it in time; try again after details.retryAfterSeconds.
StatusReasonStoreReadError: 500: stored objects cannot be read, for instance not decrypted.
StatusReasonTimeout: 504: it took too long; it may have been done or not.
StatusReasonTooManyRequests: 429: the server, or a disruption budget, asks to come back later.
StatusReasonBadRequest: 400: the request makes no sense to the server.
StatusReasonMethodNotAllowed: 405: the resource does not have this verb.
StatusReasonNotAcceptable: 406: the server cannot answer in any of the formats that were asked for.
StatusReasonRequestEntityTooLarge: 413: the body is too large.
StatusReasonUnsupportedMediaType: 415: the server cannot read the format of the body.
StatusReasonInternalError: 500: the server failed; its log knows more.
StatusReasonExpired: 410: the resource version or the continue token is too old. List again.
StatusReasonServiceUnavailable: 503: the server, or one it depends on, is not there at present.
`
