/**
 * The closed list of what can go wrong for a caller. Everything that Kith refuses is thrown from here;
 * any other exception is a defect and becomes INTERNAL_ERROR. HTTP statuses live in `http/errors.ts` alone.
 * [spec: Errors]
 */

export type ErrorCode =
  | 'UNAUTHORIZED'
  | 'INTERNAL_ERROR'
  | 'UNAVAILABLE'
  | 'PERMISSION_DENIED'
  | 'RECORD_NOT_FOUND'
  | 'MISSING_REQUIRED_FIELD'
  | 'MISSING_REQUIRED_FIELDS'
  | 'VALIDATION_ERROR'
  | 'DUPLICATE_RECORD'
  | 'INVALID_OBJECT'
  | 'INVALID_FIELD'
  | 'INVALID_OPERATION'
  | 'NOT_SUPPORTED'
  | 'INVALID_ARGUMENT'
  | 'MERGE_FAILED'
  | 'WRITE_FAILED'
  | 'CONFLICT'
  /** A precondition of the request did not hold; reported to the caller as CONFLICT. */
  | 'STALE'
  | 'DESTRUCTIVE_CHANGE'
  | 'INVALID_CHANNEL'
  | 'CONFIRM_REQUIRED'
  | 'CONFIRM_INVALID'
  | 'CONFIRM_MISMATCH'
  | 'AMBIGUOUS_SENDER'
  | 'NO_ACCOUNT'
  | 'SEND_NOT_ENABLED'
  | 'SEND_FAILED'
  | 'SEND_UNKNOWN'
  | 'NOT_FOUND'
  | 'RATE_LIMITED';

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

interface ErrorDetails {
  readonly fieldErrors?: readonly FieldError[];
  readonly availableValues?: readonly string[];
  readonly cause?: unknown;
}

/**
 * A refusal as the caller sees it: a code, a message that says what would be right, and the fields or values concerned.
 * `cause` is only logged.
 */
export class KithError extends Error {
  readonly code: ErrorCode;
  readonly fieldErrors: readonly FieldError[] | undefined;
  readonly availableValues: readonly string[] | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'KithError';
    this.code = code;
    this.fieldErrors = details.fieldErrors;
    this.availableValues = details.availableValues;
  }
}

/** An admin-only action requested by a non-admin. */
export class AdminOnly extends KithError {
  constructor(what: string) {
    super('PERMISSION_DENIED', `${what} needs an admin`);
  }
}

/** One constructor per situation, so that the same situation always reads the same. */
export const errors = {
  /** The default message does not say why the token is refused, so that nothing can be learned from it. */
  unauthorized: (message = 'The API token is not valid: it is unknown, revoked or expired, or its user is inactive') =>
    new KithError('UNAUTHORIZED', message),
  internal: (cause: unknown) =>
    new KithError('INTERNAL_ERROR', 'Something went wrong on our side; the request id finds it in the log', { cause }),
  unavailable: (cause: unknown) =>
    new KithError('UNAVAILABLE', 'The database cannot be reached at the moment; try again shortly', { cause }),
  keepsChanging: (cause: unknown) =>
    new KithError('UNAVAILABLE', 'The workspace is being changed; nothing was written. Try again shortly', { cause }),
  callerLeft: () => new KithError('UNAVAILABLE', 'The client has closed the connection before it was answered'),
  permissionDenied: (message: string) => new KithError('PERMISSION_DENIED', message),
  adminOnly: (what: string) => new AdminOnly(what),
  personOnly: (what: string) =>
    new KithError(
      'PERMISSION_DENIED',
      `${what} requires a signed-in person or the command line; tokens are not allowed`,
    ),
  tokenNotFound: (id: string) => new KithError('RECORD_NOT_FOUND', `There is no token ${quoted(id)}`),
  appNotFound: (id: string) => new KithError('RECORD_NOT_FOUND', `There is no connected app ${quoted(id)}`),
  invitationNotFound: (id: string) => new KithError('RECORD_NOT_FOUND', `There is no invitation ${quoted(id)}`),
  userNotFound: (id: string) => new KithError('RECORD_NOT_FOUND', `There is no user ${quoted(id)}`),
  recordNotFound: (objectName: string, id: string, hint = '') =>
    new KithError('RECORD_NOT_FOUND', `No record ${quoted(id)} in ${objectName}${hint}`),
  stepNotFound: (step: string, objectName: string, available: readonly string[], hint: string) => {
    const instead = available.length > 0 ? `; there is: ${available.join(', ')}` : `: ${objectName} has no pipeline`;
    return new KithError('RECORD_NOT_FOUND', `There is no step ${quoted(step)}${hint}${instead}`, {
      availableValues: available,
    });
  },
  jobNotFound: (id: string) => new KithError('RECORD_NOT_FOUND', `There is no job ${quoted(id)}`),
  webhookNotFound: (id: string) => new KithError('RECORD_NOT_FOUND', `There is no webhook ${quoted(id)}`),
  listNotFound: (id: string) => new KithError('RECORD_NOT_FOUND', `There is no list ${quoted(id)}`),
  dashboardNotFound: (id: string) => new KithError('RECORD_NOT_FOUND', `There is no dashboard ${quoted(id)}`),
  chartNotFound: (id: string) => new KithError('RECORD_NOT_FOUND', `There is no chart ${quoted(id)} on the dashboard`),
  viewNotFound: (id: string) => new KithError('RECORD_NOT_FOUND', `There is no view ${quoted(id)}`),
  changeSetNotFound: (id: string) =>
    new KithError(
      'RECORD_NOT_FOUND',
      id === ''
        ? 'The id of the change set is empty; perhaps a variable is not set'
        : `There is no change set ${quoted(id)}`,
    ),
  entryNotFound: (id: string) => new KithError('RECORD_NOT_FOUND', `There is no entry ${quoted(id)} on the list`),
  notInTrash: (objectName: string, id: string) =>
    new KithError(
      'RECORD_NOT_FOUND',
      `No record ${quoted(id)} in the trash of ${objectName}: it holds what was deleted in the last 30 days and not removed for good`,
    ),
  missingField: (field: string, hint = '') =>
    new KithError('MISSING_REQUIRED_FIELD', `${field} is required${hint && `: ${hint}`}`),
  validation: (message: string, fieldErrors?: readonly FieldError[], availableValues?: readonly string[]) =>
    new KithError('VALIDATION_ERROR', message, {
      ...(fieldErrors && { fieldErrors }),
      ...(availableValues && { availableValues }),
    }),
  /** Of something that is chosen by its name among a few. */
  unknownName: (what: string, name: string, available: readonly string[], hint: string) =>
    new KithError('VALIDATION_ERROR', `There is no ${what} ${quoted(name)}${hint}; there is: ${available.join(', ')}`, {
      availableValues: available,
    }),
  duplicateRecord: (message: string, fieldErrors: readonly FieldError[]) =>
    new KithError('DUPLICATE_RECORD', message, { fieldErrors }),
  invalidObject: (name: string, availableValues: readonly string[], hint: string) =>
    new KithError('INVALID_OBJECT', `There is no object ${quoted(name)}${hint}`, { availableValues }),
  invalidField: (name: string, objectName: string, availableValues: readonly string[], hint: string) =>
    new KithError('INVALID_FIELD', `There is no field ${quoted(name)} on ${objectName}${hint}`, { availableValues }),
  /** Of a field that is there, but is not of the kind that is asked for. */
  unfitField: (message: string, availableValues: readonly string[]) =>
    new KithError('INVALID_FIELD', message, { availableValues }),
  /** Of what cannot be the name of a field, whatever fields there are. */
  noFieldName: (message: string) => new KithError('INVALID_FIELD', message),
  invalidOperation: (message: string, availableValues?: readonly string[]) =>
    new KithError('INVALID_OPERATION', message, { ...(availableValues && { availableValues }) }),
  mergeFailed: (message: string, fieldErrors?: readonly FieldError[]) =>
    new KithError('MERGE_FAILED', message, { ...(fieldErrors && { fieldErrors }) }),
  notSupported: (message: string) => new KithError('NOT_SUPPORTED', message),
  invalidArgument: (message: string) => new KithError('INVALID_ARGUMENT', message),
  moveFailed: (cause: unknown) =>
    new KithError('INTERNAL_ERROR', 'The record could not be moved; the request id finds the reason in the log', {
      cause,
    }),
  writeFailed: (cause: unknown) => new KithError('WRITE_FAILED', 'The record could not be written', { cause }),
  valueRefused: (cause: unknown) =>
    new KithError('WRITE_FAILED', 'The database refuses a value of this record', { cause }),
  /** Of a move in a pipeline. The message is the same whatever is missing: the caller may not see all of it. */
  missingForStep: (stepName: string, fieldErrors: readonly FieldError[]) =>
    new KithError(
      'MISSING_REQUIRED_FIELDS',
      `The record cannot go to the step ${quoted(stepName)} before fields that are required for it are filled`,
      { fieldErrors },
    ),
  destructiveChange: (message: string, fieldErrors: readonly FieldError[]) =>
    new KithError('DESTRUCTIVE_CHANGE', message, { fieldErrors }),
  /** Of work that commits several times and cannot go on. */
  partlyDone: () =>
    new KithError(
      'CONFLICT',
      'The workspace or your role changed while this was carried out, and a part of it is done: read what is there before you send it again',
    ),
  conflict: (message: string) => new KithError('CONFLICT', message),
  stale: (fieldErrors?: readonly FieldError[]) =>
    new KithError('STALE', 'The record has changed since it was read: read it again', {
      ...(fieldErrors && { fieldErrors }),
    }),
  invalidChannel: (message: string, availableValues?: readonly string[]) =>
    new KithError('INVALID_CHANNEL', message, { ...(availableValues && { availableValues }) }),
  confirmRequired: () =>
    new KithError(
      'CONFIRM_REQUIRED',
      'confirm_token is required: preview the message, and send it with the token of that',
    ),
  confirmInvalid: (why: string) =>
    new KithError('CONFIRM_INVALID', `The confirm_token ${why}: preview the message again`),
  confirmMismatch: () =>
    new KithError(
      'CONFIRM_MISMATCH',
      'The message is not the one that was previewed: send that one, or preview this one. The confirm_token is still good for that one',
    ),
  ambiguousSender: (channel: string, addresses: readonly string[]) =>
    new KithError(
      'AMBIGUOUS_SENDER',
      `You have several connected accounts for ${channel}: name one in from_account_email`,
      { availableValues: addresses },
    ),
  noAccount: (message: string, availableValues: readonly string[] = []) =>
    new KithError('NO_ACCOUNT', message, { ...(availableValues.length > 0 && { availableValues }) }),
  sendNotEnabled: (address: string, why = 'kith ingest allows it, with "send_enabled": true') =>
    new KithError('SEND_NOT_ENABLED', `The account ${address} may not send: ${why}`),
  sendFailed: (why: string) =>
    new KithError('SEND_FAILED', `Nothing went out: ${why}. Preview the message again to send it anew`),
  sendUnknown: (cause: unknown) =>
    new KithError(
      'SEND_UNKNOWN',
      'Nobody knows whether the message went out: the connection broke after it had been handed over. It is not sent again; look into the mailbox before you send another',
      { cause },
    ),
  markFailed: (why: string) => new KithError('WRITE_FAILED', `The thread could not be marked: ${why}`),
  /** Of an account whose servers do not do what they are asked. */
  accountFailed: (why: string) => new KithError('WRITE_FAILED', `The account could not be synchronised: ${why}`),
  accountNotFound: (id: string) => new KithError('RECORD_NOT_FOUND', `There is no account ${quoted(id)}`),
  notFound: (message: string) => new KithError('NOT_FOUND', message),
  /** Of a file that is to be written. */
  noFolder: (path: string, folder: string) =>
    new KithError('NOT_FOUND', `${quoted(path)} cannot be written: there is no folder ${quoted(folder)}`),
};

/** Mistakes that an answer tells one by one; of the others it tells how many they are. */
const mostTold = 50;

/** What is wrong with one input. All of it is looked for; what is kept and told of it stays short. */
export class Mistakes {
  readonly #most: number;
  readonly #told: FieldError[] = [];
  readonly #fields = new Set<string>();
  #count = 0;
  #known: readonly string[] | undefined;

  constructor(most = mostTold) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  /** `known` are the values that would be right, told beside all mistakes. */
  add(mistake: FieldError, known?: readonly string[]): void {
    if (known && known.length > 0) this.#known ??= known;
    this.#fields.add(mistake.field);
    if (this.#count++ < this.#most) this.#told.push(mistake);
  }

  /** A name that is not there: `worded` only where it is told, since anybody can send names by the thousand. `known` are told beside it. */
  addUnknown(worded: () => FieldError, known?: readonly string[]): void {
    this.#known ??= known;
    if (this.#count++ < this.#most) this.#told.push(worded());
  }

  /** Whether something was added of `field`, by that name. */
  concerns(field: string): boolean {
    return this.#fields.has(field);
  }

  /** Those that are told one by one. */
  get told(): readonly FieldError[] {
    return this.#told;
  }

  /** What is told of all of them. */
  get text(): string {
    const rest = this.#count - this.#told.length;
    const text = this.#told.map(({ message }) => message).join('; ');
    return rest > 0 ? `${text}; and ${rest.toLocaleString('en')} more` : text;
  }

  /** VALIDATION_ERROR with all of them; undefined where there is none. */
  error(): KithError | undefined {
    return this.#count === 0 ? undefined : errors.validation(this.text, this.#told, this.#known);
  }

  /** Throws it, if there is one. */
  refuse(): void {
    const error = this.error();
    if (error) throw error;
  }
}

/** A name from outside, safe inside a message: cut, and with control characters escaped. */
export function quoted(name: string): string {
  return JSON.stringify(shortened(name));
}

/** A name from outside, no longer than is worth repeating. */
export function shortened(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80).toWellFormed()}…` : name;
}
