/** Why an outgoing connection failed. */

export type OutgoingReason = 'invalid' | 'refused' | 'unresolved' | 'connection' | 'tls' | 'timeout' | 'too-large';

/** The message is for the tenant and reveals nothing about the service's network. */
export class OutgoingError extends Error {
  readonly reason: OutgoingReason;
  /** For the operator's log only. */
  readonly detail: object;

  constructor(reason: OutgoingReason, message: string, detail: object = {}) {
    super(message);
    this.name = 'OutgoingError';
    this.reason = reason;
    this.detail = detail;
  }
}
