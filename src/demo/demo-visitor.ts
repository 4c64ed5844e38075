/** A user of the demo as whom a visitor can sign in. */
export interface DemoVisitor {
  readonly personId: string;
  readonly place: { readonly organizationId: string; readonly workspaceUserId: string };
  readonly name: string;
  readonly role: string;
  /** The name of the demo. */
  readonly organizationName: string;
  /** A sentence on what the role sees. */
  readonly sees: string;
  /** Counts with labels. */
  readonly facts: readonly (readonly [label: string, value: string])[];
}

/** The demo of a service that only this machine can reach. */
export interface DemoVisitors {
  /** The active users of the demo; none without a demo. */
  people(): Promise<readonly DemoVisitor[]>;
}
