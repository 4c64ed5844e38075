/** What becomes of a connection that does not come about. */

export type OutgoingReason = 'invalid' | 'refused' | 'unresolved' | 'connection' | 'tls' | 'timeout' | 'too-large';

/** The message is for whoever named the host, and tells nothing of the network that the service is in. */
export class OutgoingError extends Error {
  readonly reason: OutgoingReason;
  /** For the log of the operator alone. */
  readonly detail: object;

  constructor(reason: OutgoingReason, message: string, detail: object = {}) {
    super(message);
    this.name = 'OutgoingError';
    this.reason = reason;
    this.detail = detail;
  }
}
